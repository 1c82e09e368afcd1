import { z } from 'zod'

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

export function names() {
  return z.string().transform((value) => value.split(',').map((name) => name.trim()))
}

export function mailbox() {
  return z.string().regex(/^([^@<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, {
    message: 'must be an email address such as hello@example.com or Name <hello@example.com>',
  })
}

/** The number of trusted proxies in front of the process; `true` means one. */
export function proxyCount() {
  return z
    .string()
    .regex(/^(true|false|\d|10)$/, 'must be true, false or the number of proxies, from 0 to 10')
    .transform((value) => (value === 'true' ? 1 : value === 'false' ? 0 : Number(value)))
}

/** One of some words. */
export function oneOf<const Word extends string>(...words: Word[]) {
  const list = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  return z.enum(words, { error: `must be ${list}` })
}

/** One URL for each host of a database URL, and whether its server must take writes. */
export type DatabaseHosts = { urls: string[]; mustTakeWrites: boolean }

const attribute = 'target_session_attrs'
const takesWrites = ['read-write', 'primary']

/** The mistake in the URL, as the rest of a sentence without the value. */
function databaseUrlError(value: string): string | undefined {
  if (!/^postgres(ql)?:/i.test(value)) return notPostgres
  const { hosts } = split(value)
  const urls = urlsOf(value)
  if (hosts.length === 1) {
    if (!URL.canParse(value)) return notPostgres
  } else if (!urls.every((url) => URL.canParse(url) && new URL(url).hostname !== '')) {
    return 'has hosts that cannot be read; separate them with commas, such as a:5432,b:5432'
  }
  const wanted = new URL(urls[0] as string).searchParams.get(attribute)
  if (wanted === null || wanted === 'any' || takesWrites.includes(wanted)) return undefined
  return `has a ${attribute} that is not any, read-write or primary`
}

/** As libpq reads `postgres://user:password@a:5432,b:5433/name`. With several, writes are the default. */
export function splitDatabaseUrl(value: string): DatabaseHosts {
  const urls = urlsOf(value)
  const { searchParams } = new URL(urls[0] as string)
  const wanted = searchParams.get(attribute) ?? (urls.length > 1 ? 'read-write' : 'any')
  const mustTakeWrites = takesWrites.includes(wanted)
  return { urls: searchParams.has(attribute) ? urls.map(withoutAttribute) : urls, mustTakeWrites }
}

/** Not the driver's to decide. */
function withoutAttribute(value: string): string {
  const url = new URL(value)
  url.searchParams.delete(attribute)
  return url.href
}

function urlsOf(value: string): string[] {
  const { before, hosts, after } = split(value)
  return hosts.map((host) => before + host + after)
}

function split(value: string): { before: string; hosts: string[]; after: string } {
  const [, before = '', hosts = '', after = ''] =
    /^([^/]*\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s.exec(value) ?? []
  if (before === '') return { before: value, hosts: [''], after: '' }
  return { before, hosts: hosts.split(','), after }
}

const notPostgres = 'must be a URL that starts with postgres:// or postgresql://'

/** Whether a host name, from a setting or a URL, is this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[?::1\]?|127(\.\d{1,3}){3})$/.test(host)
}
