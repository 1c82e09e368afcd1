import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { authSecrets } from '#config/env'

/** A browser's random id, and a signature for each account that it has signed in to, newest first. */
type Device = { id: string; signatures: string[] }

const maxAccounts = 5

/**
 * The id of the device if it has signed in to this account before. For any other account the cookie
 * says nothing: an attacker's own account gives no tries against others.
 *
 * A new password does not change this. The cookie only exempts its holder from limits that others
 * have used up, and a thief who has a copy gets ten tries in ten minutes. If it did, an attack on
 * the account would lock out the other devices of an owner who changes the password because of it.
 */
export function knownDevice(cookie: string | undefined, account: string): string | undefined {
  const device = parseDevice(cookie)
  return device?.signatures.some((signature) => isValid(device.id, account, signature))
    ? device.id
    : undefined
}

/** The cookie's new value after a sign-in. It contains no email. */
export function rememberAccount(cookie: string | undefined, account: string): string {
  const { id, signatures } = parseDevice(cookie) ?? newDevice()
  const others = signatures.filter((signature) => !isValid(id, account, signature))
  const [secret = ''] = authSecrets()
  return [id, sign(secret, id, account), ...others.slice(0, maxAccounts - 1)].join('.')
}

/** @public For modules that recognize a browser. */
export function deviceId(cookie: string): string {
  return cookie.split('.', 1)[0] ?? ''
}

function newDevice(): Device {
  return { id: randomBytes(16).toString('base64url'), signatures: [] }
}

function parseDevice(cookie: string | undefined): Device | undefined {
  if (cookie === undefined || !/^[\w-]{22}(\.[\w-]{43}){1,5}$/.test(cookie)) return undefined
  const [id = '', ...signatures] = cookie.split('.')
  return { id, signatures }
}

function isValid(id: string, account: string, signature: string): boolean {
  return authSecrets().some((secret) =>
    timingSafeEqual(Buffer.from(sign(secret, id, account)), Buffer.from(signature)),
  )
}

function sign(secret: string, id: string, account: string): string {
  return createHmac('sha256', secret).update(`plinth.device ${id} ${account}`).digest('base64url')
}
