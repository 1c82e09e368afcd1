import { type ProblemCode, problems } from '@/core/http/problems/problem-codes'

export type FieldError = { field: string; message: string }

type Extras = {
  detail?: string
  errors?: readonly FieldError[]
  /** Auth.js's client reads the error from this URL. */
  url?: string
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
  return error instanceof Error && error.name === 'Problem'
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
