import { z } from 'zod'
import { isLoopback } from '@/core/loopback'

/** What a setting can be: each says in one sentence what it must be, and never what it was. */

export function url(...protocols: string[]) {
  return z.string().superRefine((value, context) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      // The value itself is left out: it may hold a password.
      const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ')
      context.addIssue({ code: 'custom', message: `must be a URL that starts with ${wanted}` })
    }
  })
}

/** Secrets go there, so it is https unless they never leave this machine. */
export function providerUrl() {
  return url('http:', 'https:').superRefine((value, context) => {
    if (!URL.canParse(value)) return
    const { protocol, hostname } = new URL(value)
    if (protocol === 'http:' && !isLoopback(hostname)) {
      context.addIssue({ code: 'custom', message: 'must be https unless it is on this machine' })
    }
  })
}

/** The scheme, host and port alone, spelled as a browser spells it. */
export function origin() {
  return url('http:', 'https:').transform((value, context) => {
    const { origin, pathname, search, hash, username, password } = new URL(value)
    if (pathname === '/' && `${search}${hash}${username}${password}` === '') return origin
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://example.com' })
    return z.NEVER
  })
}

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message))
}

export function secret() {
  return z.string().trim().min(32, 'must be at least 32 characters long')
}

export function origins() {
  return z.string().transform((value, context) => {
    const list = value.split(',').map((origin) => origin.trim())
    const wrong = list.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin)
    if (wrong !== undefined) {
      context.addIssue({
        code: 'custom',
        message: `must be exact origins such as https://app.example.com, which number ${list.indexOf(wrong) + 1} is not`,
      })
      return z.NEVER
    }
    return list
  })
}

export function mailbox() {
  return z.string().regex(/^([^@<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, {
    message: 'must be an address such as hello@example.com or Name <hello@example.com>',
  })
}

export function hops() {
  return z
    .enum(['true', 'false'])
    .transform((value) => (value === 'true' ? 1 : 0))
    .or(whole(0, 10))
}
