import { z } from 'zod'
import { installed } from '@/core/auth/providers/installed'
import { configuredOf, fieldsOf, missingKeyOf } from '@/core/auth/providers/provider'
import { hops, mailbox, origin, origins, secret, url, whole } from '@/core/setting-kinds'

/** Every setting of the process; `.env.example` says what each is for. */
export const settings = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: whole(0, 65535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_DIRECT_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL_SIZE: whole(1, 500).default(10),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  AUTHORITY_CACHE: z.enum(['on', 'off']).default('on'),
  WEB_CONCURRENCY: whole(1, 64).default(1),
  AUTH_URL: origin().optional(),
  AUTH_SECRET: secret().optional(),
  AUTH_SECRET_PREVIOUS: secret().optional(),
  AUTH_COOKIE_SAMESITE: z.enum(['lax', 'none']).default('lax'),
  CORS_ORIGINS: origins().default([]),
  SIGN_UP: z.enum(['open', 'invite', 'closed']).default('open'),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: mailbox().optional(),
  TRUST_PROXY: hops().default(0),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ...fieldsOf(installed),
})

type Values = z.output<typeof settings>

/** What is wrong with one of them, without its value: that may be secret. */
export type SettingProblem = { name: string; message: string }

/** Those that are right by themselves and wrong beside the others. */
export function brokenRules(value: Values): SettingProblem[] {
  const problems: SettingProblem[] = []
  const refuse = (name: string, message: string) => problems.push({ name, message })

  if (value.DATABASE_URL && !value.AUTH_SECRET) {
    refuse('AUTH_SECRET', 'is required with DATABASE_URL; make one with: openssl rand -base64 32')
  }
  if (value.DATABASE_DIRECT_URL && !value.DATABASE_URL) {
    refuse('DATABASE_DIRECT_URL', 'needs DATABASE_URL beside it')
  }
  if (value.WEB_CONCURRENCY > 1 && !value.DATABASE_URL) {
    refuse('WEB_CONCURRENCY', 'needs DATABASE_URL: the embedded database has one process')
  }
  if (value.AUTH_SECRET_PREVIOUS && !value.AUTH_SECRET) {
    refuse('AUTH_SECRET_PREVIOUS', 'needs AUTH_SECRET beside it')
  }
  for (const provider of installed) {
    const missing = missingKeyOf(provider, value)
    if (missing) refuse(missing.name, `is required with ${missing.beside}`)
  }
  if (value.AUTH_COOKIE_SAMESITE === 'none' && !value.AUTH_URL?.startsWith('https:')) {
    refuse('AUTH_COOKIE_SAMESITE', 'can be none only with an https AUTH_URL')
  }
  if (value.SMTP_URL && !value.MAIL_FROM) refuse('MAIL_FROM', 'is required with SMTP_URL')
  return problems
}

/** With what follows from them. */
export function derive(value: Values) {
  return {
    ...value,
    // The embedded database starts with well-known passwords, so by default only this machine sees it.
    HOST: value.HOST ?? (value.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    AUTH_URL: value.AUTH_URL ?? `http://localhost:${value.PORT}`,
    /** Where our own pages are; without AUTH_URL, both names of this machine. */
    ownOrigins: value.AUTH_URL
      ? [value.AUTH_URL]
      : [`http://localhost:${value.PORT}`, `http://127.0.0.1:${value.PORT}`],
    embedded: value.DATABASE_URL === undefined,
    /** Those whose keys are set; no other exists. */
    providers: configuredOf(installed, value),
  }
}
