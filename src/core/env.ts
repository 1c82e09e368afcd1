import { z } from 'zod'
import { isLoopback } from '@/core/loopback'
import { singleton } from '@/core/singleton'

/** Every setting of the process. Read once, at start; `.env.example` says what each is for. */
const settings = z
  .object({
    NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
    PORT: whole(0, 65535).default(3000),
    HOST: z.string().optional(),
    DATA_DIR: z.string().default('.data'),
    DATABASE_URL: url('postgres:', 'postgresql:').optional(),
    DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional(),
    DATABASE_POOL_SIZE: whole(1, 500).default(10),
    REDIS_URL: url('redis:', 'rediss:').optional(),
    AUTH_URL: origin().optional(),
    AUTH_SECRET: secret().optional(),
    AUTH_SECRET_PREVIOUS: secret().optional(),
    AUTH_GITHUB_ID: z.string().optional(),
    AUTH_GITHUB_SECRET: z.string().optional(),
    AUTH_GITHUB_URL: providerUrl().optional(),
    AUTH_GOOGLE_ID: z.string().optional(),
    AUTH_GOOGLE_SECRET: z.string().optional(),
    AUTH_GOOGLE_ISSUER: providerUrl().optional(),
    AUTH_COOKIE_SAMESITE: z.enum(['lax', 'none']).default('lax'),
    CORS_ORIGINS: origins().default([]),
    SIGN_UP: z.enum(['open', 'invite', 'closed']).default('open'),
    SMTP_URL: url('smtp:', 'smtps:').optional(),
    MAIL_FROM: mailbox().optional(),
    TRUST_PROXY: hops().default(0),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info'),
  })
  .superRefine((value, context) => {
    const refuse = (name: keyof typeof value, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })

    if (value.DATABASE_URL && !value.AUTH_SECRET) {
      refuse('AUTH_SECRET', 'is required with DATABASE_URL; make one with: openssl rand -base64 32')
    }
    if (value.DATABASE_DIRECT_URL && !value.DATABASE_URL) {
      refuse('DATABASE_DIRECT_URL', 'needs DATABASE_URL beside it')
    }
    if (value.AUTH_SECRET_PREVIOUS && !value.AUTH_SECRET) {
      refuse('AUTH_SECRET_PREVIOUS', 'needs AUTH_SECRET beside it')
    }
    for (const provider of ['GITHUB', 'GOOGLE'] as const) {
      const id = `AUTH_${provider}_ID` as const
      const key = `AUTH_${provider}_SECRET` as const
      if (value[id] && !value[key]) refuse(key, `is required with ${id}`)
      if (value[key] && !value[id]) refuse(id, `is required with ${key}`)
    }
    if (value.AUTH_COOKIE_SAMESITE === 'none' && !value.AUTH_URL?.startsWith('https:')) {
      refuse('AUTH_COOKIE_SAMESITE', 'can be none only with an https AUTH_URL')
    }
    if (value.SMTP_URL && !value.MAIL_FROM) refuse('MAIL_FROM', 'is required with SMTP_URL')
  })
  .transform((value) => ({
    ...value,
    // The embedded database starts with well-known passwords, so by default only this machine sees it.
    HOST: value.HOST ?? (value.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    AUTH_URL: value.AUTH_URL ?? `http://localhost:${value.PORT}`,
    /** Where our own pages are; without AUTH_URL, both names of this machine. */
    ownOrigins: value.AUTH_URL
      ? [value.AUTH_URL]
      : [`http://localhost:${value.PORT}`, `http://127.0.0.1:${value.PORT}`],
    embedded: value.DATABASE_URL === undefined,
  }))

export type Env = z.output<typeof settings>

export class InvalidSettings extends Error {}

export function parseEnv(source: Record<string, string | undefined>): Env {
  // An empty value in a .env file means "not set".
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const result = settings.safeParse(given)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new InvalidSettings(`Settings: ${problems.join('; ')}.`)
}

export function env(): Env {
  return singleton('env', () => parseEnv(process.env))
}

function url(...protocols: string[]) {
  return z.string().superRefine((value, context) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      // The value itself is left out: it may hold a password.
      const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ')
      context.addIssue({ code: 'custom', message: `must be a URL that starts with ${wanted}` })
    }
  })
}

/** Secrets go there, so it is https unless they never leave this machine. */
function providerUrl() {
  return url('http:', 'https:').superRefine((value, context) => {
    if (!URL.canParse(value)) return
    const { protocol, hostname } = new URL(value)
    if (protocol === 'http:' && !isLoopback(hostname)) {
      context.addIssue({ code: 'custom', message: 'must be https unless it is on this machine' })
    }
  })
}

/** The scheme, host and port alone, spelled as a browser spells it. */
function origin() {
  return url('http:', 'https:').transform((value, context) => {
    const { origin, pathname, search, hash, username, password } = new URL(value)
    if (pathname === '/' && `${search}${hash}${username}${password}` === '') return origin
    context.addIssue({ code: 'custom', message: 'must be an origin such as https://example.com' })
    return z.NEVER
  })
}

function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message))
}

function secret() {
  return z.string().trim().min(32, 'must be at least 32 characters long')
}

function origins() {
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

function mailbox() {
  return z.string().regex(/^([^@<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, {
    message: 'must be an address such as hello@example.com or Plinth <hello@example.com>',
  })
}

function hops() {
  return z
    .enum(['true', 'false'])
    .transform((value) => (value === 'true' ? 1 : 0))
    .or(whole(0, 10))
}
