import type { ContentfulStatusCode } from 'hono/utils/http-status'
import {
  commitUnconfirmed,
  isAccountFrozen,
  isCommitUnconfirmed,
  isDatabaseUnavailable,
} from '#db/errors'
import type { ApiContext } from '#http/api-context'
import { logFailure } from '#http/request-log'

/** Every problem of the API. The codes are stable; the texts are public. */
export const problems = {
  bad_request: [400, 'Bad request', 'The request is malformed.'],
  malformed_json: [400, 'Malformed JSON', 'The body is not valid JSON.'],
  unauthenticated: [401, 'Not signed in', 'Sign in and try again.'],
  invalid_credentials: [401, 'Sign-in failed', 'The email or password is incorrect.'],
  second_factor_required: [
    401,
    'Second factor required',
    'The password is correct. Confirm the sign-in with one of your other methods.',
  ],
  invalid_code: [401, 'Invalid code', 'The code is incorrect or was already used.'],
  sign_in_expired: [
    401,
    'Sign-in expired',
    'This sign-in took too long or was tried too often. Sign in again.',
  ],
  invalid_passkey: [401, 'Passkey not accepted', 'This passkey was not accepted. Try another way.'],
  oauth_failed: [400, 'Sign-in failed', 'Sign-in with the provider failed. Try again.'],
  forbidden: [403, 'Forbidden', 'Your role does not allow this.'],
  reauthentication_required: [
    403,
    'Sign in again',
    'This needs a recent sign-in. Sign in again, then retry.',
  ],
  proof_required: [403, 'Proof required', 'Prove this change, then retry with the new token.'],
  cross_origin: [403, 'Cross-origin request', 'This request must come from this application.'],
  download_refused: [
    403,
    'Download refused',
    'A download has to be opened directly. It cannot be part of a page.',
  ],
  csrf_mismatch: [
    403,
    'Invalid CSRF token',
    'The CSRF token is missing or does not match this browser. Request a new one and try again.',
  ],
  oauth_denied: [403, 'Sign-in canceled', 'Sign-in was canceled.'],
  email_not_verified: [
    403,
    'Email not verified',
    'The provider has not verified your email. Verify it there, then try again.',
  ],
  sign_up_closed: [403, 'Sign-up closed', 'Sign-up is closed. Ask an admin for an account.'],
  account_frozen: [
    403,
    'Account frozen',
    'The recovery of this account is open, so no one can sign in. We sent a mail about it to its emails.',
  ],
  not_found: [404, 'Not found', 'Nothing was found at this URL.'],
  method_not_allowed: [405, 'Method not allowed', 'This URL does not support that method.'],
  conflict: [409, 'Conflict', 'The request conflicts with the current state.'],
  email_in_use: [
    409,
    'Email already in use',
    'An account with this email already exists. Sign in to it, then link the provider.',
  ],
  account_linked_elsewhere: [
    409,
    'Already linked',
    'This provider account is already linked to another user.',
  ],
  account_not_linked: [409, 'Not linked', 'Use a provider account that is linked to yours.'],
  provider_linked_already: [
    409,
    'Provider already linked',
    'Your account is already linked to another account of this provider.',
  ],
  body_too_large: [413, 'Body too large', 'The body can be at most 64 KiB.'],
  unsupported_media_type: [415, 'Unsupported content type', 'This content type is not supported.'],
  validation_failed: [422, 'Validation failed', 'Some fields are invalid. See errors.'],
  rate_limited: [429, 'Too many requests', 'Too many attempts. Try again in a minute.'],
  internal: [
    500,
    'Internal error',
    'Something went wrong on our side. The error was logged under the request id.',
  ],
  provider_unavailable: [
    502,
    'Provider unavailable',
    'The sign-in provider is unavailable. Try again in a moment.',
  ],
  unhealthy: [503, 'Unhealthy', 'The database is unavailable.'],
  database_unreachable: [
    503,
    'Database unavailable',
    'The database is unavailable. Try again in a moment.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>

export type ProblemCode = keyof typeof problems

/** The text for a code from a URL. Undefined for an unknown code. */
export function problemDetail(code: string | undefined): string | undefined {
  if (code === undefined || !Object.hasOwn(problems, code)) return undefined
  return problems[code as ProblemCode][2]
}

export type FieldError = { field: string; message: string }

type Extras = {
  detail?: string
  errors?: readonly FieldError[]
  /** Auth.js's client reads the error from this URL. */
  url?: string
  /** The next step of a sign-in. */
  pending?: { challenge: string; methods: readonly string[]; href: string }
  /** The change that needs a proof. */
  change?: string
  headers?: Readonly<Record<string, string>>
}

/** Thrown to end a request early; the API responds with it as RFC 9457 describes. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly extras: Extras

  constructor(code: ProblemCode, extras: Extras = {}) {
    super(code)
    this.code = code
    this.extras = extras
  }
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem
}

export function problemBody(code: ProblemCode, requestId: string, extras: Extras = {}) {
  const [status, title, detail] = problems[code]
  const { pending } = extras
  return {
    type: `/api/problems/${code}`,
    title,
    status,
    detail: extras.detail ?? detail,
    code,
    requestId,
    ...(extras.errors ? { errors: extras.errors } : {}),
    ...(extras.url ? { url: extras.url } : {}),
    ...(extras.change ? { change: extras.change } : {}),
    ...(pending ? { challenge: pending.challenge, methods: pending.methods } : {}),
  }
}

const retryAfterSeconds: Partial<Record<ProblemCode, string>> = {
  unhealthy: '2',
  database_unreachable: '2',
}

export function problemHeaders(code: ProblemCode, extras: Extras = {}): Record<string, string> {
  const seconds = retryAfterSeconds[code]
  return {
    'content-type': 'application/problem+json',
    ...(seconds ? { 'retry-after': seconds } : {}),
    ...extras.headers,
  }
}

/** Unknown errors are logged. Their text never reaches the caller. */
export function errorResponse(error: unknown, c: ApiContext): Response {
  if (isProblem(error)) return problemResponse(c, error)
  if (isBadRequest(error)) return problemResponse(c, new Problem('bad_request'))
  if (isAccountFrozen(error)) return problemResponse(c, new Problem('account_frozen'))
  const code: ProblemCode = isDatabaseUnavailable(error) ? 'database_unreachable' : 'internal'
  logFailure(error, 'request failed', { requestId: c.get('requestId') })
  const extras = isCommitUnconfirmed(error) ? { detail: commitUnconfirmed } : {}
  return problemResponse(c, new Problem(code, extras))
}

export function problemResponse(c: ApiContext, { code, extras }: Problem): Response {
  const status = problems[code][0] as ContentfulStatusCode
  const body = problemBody(code, c.get('requestId'), extras)
  return c.body(JSON.stringify(body), status, problemHeaders(code, extras))
}

/** Hono throws an error with this status for a request that it cannot parse. */
function isBadRequest(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400
}
