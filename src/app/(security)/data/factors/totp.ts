import 'server-only'
import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, 6 digits, 30 seconds. */
const digits = 6
const stepMs = 30_000

/** How many steps a clock may be off, in each direction. */
const drift = 1

export function stepAt(timeMs: number): number {
  return Math.floor(timeMs / stepMs)
}

/** RFC 4226, section 5.3. */
export function codeAt(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, '0')
}

/**
 * The step of the code, or undefined if it is wrong. A step that is not after `lastStep` was used
 * before: a code that was seen over a shoulder works no second time.
 */
export function findStep(
  secret: Buffer,
  typed: string,
  { now, lastStep }: { now: number; lastStep: number },
): number | undefined {
  const code = typed.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return undefined
  const current = stepAt(now)
  const steps = [current, current - drift, current + drift]
  return steps.find((step) => step > lastStep && isEqual(codeAt(secret, step), code))
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

type Label = { issuer: string; account: string }

/** The text of the QR code. A colon separates issuer and account. */
export function keyUri(secret: Buffer, label: Label): string {
  const { account } = label
  const issuer = label.issuer.replaceAll(':', '')
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${name}?${query}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** In groups of four, which are easier to type. */
export function spaced(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? ''
}
