import { type ProblemCode, problems } from '@/core/http/problems'
import type { Allowance } from '@/core/limits/allow'

export type FieldError = { field: string; message: string }

type Extras = {
  detail?: string
  errors?: readonly FieldError[]
  /** Where a client that follows Auth.js looks for what went wrong. */
  url?: string
  headers?: Readonly<Record<string, string>>
}

/** Thrown where a request ends early; the interface answers with it as RFC 9457 says. */
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
  return error instanceof Error && error.name === 'Problem'
}

/** With what a caller needs to know to come back at the right time. */
export function tooMany({ limit, remaining, seconds }: Allowance): Problem {
  return new Problem('rate_limited', {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(seconds),
    },
  })
}

export function problemBody(code: ProblemCode, requestId: string, extras: Extras = {}) {
  const [status, title, detail] = problems[code]
  return {
    type: `/api/problems/${code}`,
    title,
    status,
    detail: extras.detail ?? detail,
    code,
    requestId,
    ...(extras.errors ? { errors: extras.errors } : {}),
    ...(extras.url ? { url: extras.url } : {}),
  }
}

/** How long to stay away from a database that does not answer, in seconds. */
const retryAfter: Partial<Record<ProblemCode, string>> = {
  unhealthy: '2',
  database_unreachable: '2',
}

export function problemHeaders(code: ProblemCode, extras: Extras = {}): Record<string, string> {
  const wait = retryAfter[code]
  return {
    'content-type': 'application/problem+json',
    ...(wait ? { 'retry-after': wait } : {}),
    ...extras.headers,
  }
}
