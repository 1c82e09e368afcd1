import { z } from 'zod'
import { StartupError } from '#config/env'
import { nearestName } from '#config/nearest-name'
import { mailbox } from '#config/setting-types'
import type { SettingError } from '#config/settings'

type Duration = `${number} ${'minute' | 'minutes' | 'hour' | 'hours' | 'day' | 'days'}`

/** A provider with OpenID Connect. Its settings are `AUTH_<ID>_ID`, `_SECRET` and `_ISSUER`. */
export type OpenIdProvider = { id: string; name: string; issuer: string }

/** A provider with plain OAuth. Its settings are `AUTH_<ID>_ID`, `_SECRET` and `_URL`. */
export type OAuthProvider = {
  id: string
  name: string
  url: string
  /** Below `url`. */
  authorization: string
  token: string
  userinfo: string
  scope: string
  /** The fields of its response: of `name` the first that has a text. `email` counts if `verified` is true. */
  profile: { id: string; name: readonly string[]; email: string; verified: string }
}

const builtInProviders = ['github', 'google'] as const

/** The type of `src/plinth.config.ts`. Its data only: pages send the file to the browser. */
export type Config = {
  /** The name of the product on pages, in mails and in the API reference. */
  name: string
  /** The URL of the source code, for a link in the footer and in the API reference. */
  source?: string
  /** The ways to sign in with OAuth: `github`, `google`, or the description of another one. */
  providers?: readonly ((typeof builtInProviders)[number] | OpenIdProvider | OAuthProvider)[]
  /** When a session ends: so long after its last use, by default 30 days, and after its start, by default 90. */
  sessions?: { idle?: Duration; absolute?: Duration }
  passwords?: {
    /** In characters, by default 10. */
    minLength?: number
    /** A password that is mostly one of them is refused, such as the name of the company. */
    refusedWords?: readonly string[]
  }
  /** Rate limits instead of the declared ones, by the name of an operation or of a limit. */
  limits?: Readonly<Record<string, { times: number; seconds: number }>>
  mail?: {
    /** The sender, such as `Acme <hello@example.com>`. MAIL_FROM is used instead where it is set. */
    from?: string
    /** Where answers go, by default to the sender. */
    replyTo?: string
  }
}

export type AppConfig = z.output<typeof schema>

const current: { config?: AppConfig } = {}

export function appConfig(): AppConfig {
  current.config ??= schema.parse({ name: 'App' })
  return current.config
}

/** Throws an error that names every mistake. */
export function configure(config: unknown): void {
  const { data, error } = schema.safeParse(config)
  if (!data)
    throw new StartupError(`src/plinth.config.ts: ${error.issues.map(explain).join('; ')}.`)
  current.config = data
}

function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return `${path.join('.') || 'config'} ${issue.message}`
  const known = optionsOf(path)
  return issue.keys
    .map((key) => {
      const meant = nearestName(key, known)
      const hint = meant ? ` (did you mean ${[...path, meant].join('.')}?)` : ''
      return `${[...path, key].join('.')} is not an option${hint}`
    })
    .join('; ')
}

function optionsOf(path: readonly string[]): string[] {
  let shape: z.ZodType | undefined = schema
  for (const part of path) shape = inner(shape)?.[part]
  return Object.keys(inner(shape) ?? {})
}

function inner(type: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  const unwrapped = type instanceof z.ZodPrefault ? type.unwrap() : type
  return unwrapped instanceof z.ZodObject ? unwrapped.shape : undefined
}

/** A mistake of both files together, so it is found when both are read. */
export function senderError({ SMTP_URL, MAIL_FROM }: Sender): SettingError | undefined {
  if (!SMTP_URL || MAIL_FROM || appConfig().mail.from) return undefined
  return {
    name: 'MAIL_FROM',
    message: 'is required with SMTP_URL, or mail.from in src/plinth.config.ts',
  }
}

type Sender = { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined }

const dayMs = 24 * 60 * 60_000
const unitMs = { minute: 60_000, hour: 60 * 60_000, day: dayMs }

/** Browsers keep a cookie for 400 days at most. */
const maxDays = 400

function duration() {
  const message = `must be such as '12 hours' or '30 days', from 1 minute to ${maxDays} days`
  return z
    .string(message)
    .regex(/^\d{1,6} (minute|hour|day)s?$/, message)
    .transform((text) => {
      const [count, unit = ''] = text.split(' ')
      return Number(count) * unitMs[unit.replace(/s$/, '') as keyof typeof unitMs]
    })
    .refine((ms) => ms >= unitMs.minute && ms <= maxDays * dayMs, message)
}

function text(max: number) {
  const message = `must be a text of 1 to ${max} characters`
  return z.string(message).trim().min(1, message).max(max, message)
}

function webAddress() {
  return z.url({ protocol: /^https?$/, error: 'must be a URL such as https://example.com' })
}

function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z.int(error).min(min, error).max(max, error)
}

function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: notAnObject })
}

/** Undefined leaves the message about unknown options, which `explain` writes. */
function notAnObject({ code }: { code?: string | undefined }): string | undefined {
  return code === 'invalid_type' ? 'must be an object' : undefined
}

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must have lowercase letters, digits and hyphens')

const below = z.string().regex(/^\/\S+$/, 'must be a path below url such as /oauth/token')
const openId = object({ id, name: text(50), issuer: webAddress() })
const oauth = object({
  id,
  name: text(50),
  url: webAddress(),
  authorization: below,
  token: below,
  userinfo: below,
  scope: text(500),
  profile: object({
    id: text(100),
    name: z.array(text(100)).min(1),
    email: text(100),
    verified: text(100),
  }),
})

const provider = z.union([z.enum(builtInProviders), openId, oauth], {
  error: `must be ${builtInProviders.join(', ')}, { id, name, issuer } or { id, name, url, … }`,
})

const schema = object({
  name: text(60),
  source: webAddress().optional(),
  providers: z.array(provider, 'must be a list').default([]),
  sessions: object({
    idle: duration().prefault('30 days'),
    absolute: duration().prefault('90 days'),
  }).prefault({}),
  passwords: object({
    minLength: whole(8, 64).default(10),
    refusedWords: z.array(text(50), 'must be a list of words').default([]),
  }).prefault({}),
  limits: z
    .record(z.string(), object({ times: whole(1, 1_000_000), seconds: whole(1, 31 * 86_400) }), {
      error: notAnObject,
    })
    .default({}),
  mail: object({ from: mailbox().optional(), replyTo: mailbox().optional() }).prefault({}),
}).check(({ value: { providers }, issues }) => {
  const ids = providers.map((one) => (typeof one === 'string' ? one : one.id))
  const repeated = ids.find((one, index) => ids.indexOf(one) !== index)
  if (repeated === undefined) return
  const message = `has ${repeated} twice`
  issues.push({ code: 'custom', path: ['providers'], message, input: providers })
})
