import { json } from './send.mjs'

/** A new network in each attack. */
export function newNetwork() {
  return Math.floor(Math.random() * 0xffff).toString(16)
}

export function postSignIn(target, body, headers) {
  return target.send('/api/auth/signin', {
    ...json(body),
    headers: { ...json().headers, ...headers },
  })
}

export async function guess(target, email, ip, password = 'a wrong password') {
  const response = await postSignIn(
    target,
    { email, password, redirect: false },
    { 'x-forwarded-for': ip },
  )
  return response.status
}
