import { guess, newNetwork, postSignIn } from '../support/guesses.mjs'
import { newIp } from '../support/send.mjs'
import { control, tryAll, verdict } from '../verdict.mjs'
import { crowdOut, floodSuccesses, guessFromEverywhere } from './sign-in-floods.mjs'

const guesses = 'More passwords can be guessed than the limit allows.'

export const signInLimits = [
  {
    name: 'guesses from one /64',
    bypass: guesses,
    run: (target) => {
      const network = `2001:db8:${newNetwork()}:1`
      return guessFrom(target, (n) => `${network}:${n}::${n}`)
    },
  },
  {
    name: 'guesses with a new port each',
    bypass: guesses,
    run: (target) => {
      const ip = newIp()
      return guessFrom(target, (n) => `${ip}:${1000 + n}`)
    },
  },
  {
    name: 'guesses with made-up proxies',
    bypass: guesses,
    run: (target) => {
      const ip = newIp()
      return guessFrom(target, (n) => `10.0.0.${n}, 192.0.2.${n}, ${ip}`)
    },
  },
  {
    name: 'guesses with IPv4 addresses written differently',
    bypass: guesses,
    run: (target) => {
      const ip = newIp()
      return guessFrom(target, (n) => [ip, `::ffff:${ip}`, `[::ffff:${ip}]:${n}`, `${ip}:1`][n % 4])
    },
  },
  {
    name: 'guesses with the email written differently',
    bypass: guesses,
    run: guessWithVariants,
  },
  {
    name: 'known and unknown emails',
    bypass: 'A response reveals whether an email has an account.',
    run: compareEmails,
  },
  {
    name: 'one client with many connections',
    bypass: 'One client keeps others from signing in.',
    run: crowdOut,
  },
  {
    name: 'one account from many IPs',
    bypass: guesses,
    full: true,
    run: guessFromEverywhere,
  },
  {
    name: 'successful sign-ins',
    bypass: 'One client makes the server hash passwords without a limit.',
    full: true,
    run: floodSuccesses,
  },
]

/** Ten failures in ten minutes are allowed, so the eleventh guess must be refused. */
async function guessFrom(target, ipOf) {
  target.requireOwnIps()
  const statuses = []
  for (let n = 1; n <= 13; n += 1) {
    statuses.push(await guess(target, `guessed-${n}@example.com`, ipOf(n)))
  }
  control(statuses[0] === 401, `a first guess is possible: ${statuses}`)
  const allowed = statuses.filter((status) => status !== 429).length
  return verdict(statuses.length, allowed > 10 ? [`${allowed} guesses: ${statuses}`] : [])
}

async function guessWithVariants(target) {
  target.requireOwnIps()
  const { email, password } = target.account('viewer')
  const [name, domain] = email.split('@')
  const variants = [email, ` ${email} `, email.toUpperCase(), `${name}@${domain.toUpperCase()}`]
  const ip = newIp()
  const statuses = []
  for (let n = 0; n < 12; n += 1) {
    statuses.push(await guess(target, variants[n % variants.length], ip))
  }
  const evidence = statuses.slice(10).some((status) => status !== 429) ? [`${statuses}`] : []
  const right = await guess(target, email, ip, password)
  if (right === 200) evidence.push('After the limit the right password still signs in.')
  return verdict(13, evidence)
}

async function compareEmails(target) {
  target.requireOwnIps()
  const shapeOf = async (email) => {
    const response = await postSignIn(target, { email, password: 'a wrong password' }, {})
    const { requestId, ...body } = await response.json()
    const names = [...response.headers.keys()].sort()
    return JSON.stringify({ status: response.status, names, body })
  }
  const known = await shapeOf(target.account('viewer').email)
  const unknown = ['nobody@example.com', 'viewer@example.org', 'a@localhost.example']
  return tryAll(unknown, async (email) => {
    const shape = await shapeOf(email)
    return shape === known ? undefined : `${email}: ${shape} instead of ${known}`
  })
}
