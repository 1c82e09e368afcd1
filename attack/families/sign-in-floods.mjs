import { setTimeout as sleep } from 'node:timers/promises'
import { guess, newNetwork, postSignIn } from '../support/guesses.mjs'
import { newIp } from '../support/send.mjs'
import { signIn } from '../support/sessions.mjs'
import { tryAll, verdict } from '../verdict.mjs'

/** An attacker with an account and a /64 signs in on 40 connections; the victim is elsewhere. */
export async function crowdOut(target) {
  target.requireOwnIps()
  const attacker = target.account('viewer')
  const victim = target.account('editor')
  const network = `2001:db8:${newNetwork()}:1`
  let running = true
  let answered = 0
  const connections = Array.from({ length: 40 }, async (_, n) => {
    while (running) {
      const status = await guess(target, attacker.email, `${network}::${n}`, attacker.password)
      answered += 1
      if (status === 429) await sleep(5)
    }
  })
  while (answered < 40) await sleep(5)
  const tries = target.quick ? 6 : 20
  const statuses = []
  for (let n = 0; n < tries; n += 1) {
    statuses.push(await guess(target, victim.email, newIp(), victim.password))
  }
  running = false
  await Promise.all(connections)
  const failed = statuses.filter((status) => status !== 200).length
  return verdict(
    tries,
    failed > 0 ? [`The victim failed in ${failed} of ${tries} tries: ${statuses}`] : [],
  )
}

export async function guessFromEverywhere(target) {
  target.requireOwnIps()
  const { email, password } = target.account('editor')
  const owner = await signInOnDevice(target, { email, password })
  const statuses = []
  for (let n = 0; n < 112; n += 1) statuses.push(await guess(target, email, newIp()))
  const evidence = []
  const last = statuses.slice(-6)
  if (last.every((status) => status === 401)) evidence.push(`112 guesses from 112 IPs: ${last}`)
  const response = await postSignIn(target, { email, password, redirect: false }, { cookie: owner })
  if (response.status !== 200) evidence.push(`The owner is locked out: ${response.status}`)
  return verdict(statuses.length, evidence)
}

/** All cookies of a browser that signed in. */
async function signInOnDevice(target, account) {
  const response = await postSignIn(target, { ...account, redirect: false }, {})
  const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  return cookies.join('; ')
}

export async function floodSuccesses(target) {
  target.requireOwnIps()
  const account = target.account('viewer')
  let previous = await signIn(target.url, account)
  const cases = Array.from({ length: 320 }, (_, index) => index)
  let refused = 0
  await tryAll(
    cases,
    async () => {
      const next = await signIn(target.url, account, { previous, ip: previous.ip }).catch(() => {})
      if (next) previous = next
      else refused += 1
    },
    1,
  )
  return verdict(cases.length, refused === 0 ? ['320 sign-ins in a row were all accepted.'] : [])
}
