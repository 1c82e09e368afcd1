import { z } from 'zod'
import { databaseUrlError } from '@/core/config/database-url'
import { isLoopback } from '@/core/config/loopback'

/** The types of settings. Each message says what the value must be and never repeats the value. */

export function url(...protocols: string[]) {
  return z.string().superRefine((value, context) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      // The value is left out: it may contain a password.
      const expected = protocols.map((protocol) => `${protocol}//`).join(' or ')
      context.addIssue({ code: 'custom', message: `must be a URL that starts with ${expected}` })
    }
  })
}

/** One host or several. */
export function databaseUrl() {
  return z.string().superRefine((value, context) => {
    const message = databaseUrlError(value)
    if (message) context.addIssue({ code: 'custom', message })
  })
}

/** Receives client secrets, so it must be https unless it is on this machine. */
export function providerUrl() {
  return url('http:', 'https:').superRefine((value, context) => {
    if (!URL.canParse(value)) return
    const { protocol, hostname } = new URL(value)
    if (protocol === 'http:' && !isLoopback(hostname)) {
      context.addIssue({ code: 'custom', message: 'must be https unless it is on this machine' })
    }
  })
}

/** Scheme, host and port only, normalized as a browser does. */
export function origin() {
  return url('http:', 'https:').transform((value, context) => {
    const { origin, pathname, search, hash, username, password } = new URL(value)
    if (pathname === '/' && `${search}${hash}${username}${password}` === '') return origin
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://example.com' })
    return z.NEVER
  })
}

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
}

export function secret() {
  return z.string().trim().min(32, 'must be at least 32 characters long')
}

export function origins() {
  return z.string().transform((value, context) => {
    const list = value.split(',').map((origin) => origin.trim())
    const invalid = list.find(
      (origin) => !URL.canParse(origin) || new URL(origin).origin !== origin,
    )
    if (invalid !== undefined) {
      context.addIssue({
        code: 'custom',
        message: `must be a list of exact origins such as https://app.example.com; item ${list.indexOf(invalid) + 1} is not one`,
      })
      return z.NEVER
    }
    return list
  })
}

export function mailbox() {
  return z.string().regex(/^([^@<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, {
    message: 'must be an email address such as hello@example.com or Name <hello@example.com>',
  })
}

/** The number of trusted proxies in front of the process; `true` means one. */
export function proxyCount() {
  return z
    .enum(['true', 'false'])
    .transform((value) => (value === 'true' ? 1 : 0))
    .or(wholeNumber(0, 10))
}
