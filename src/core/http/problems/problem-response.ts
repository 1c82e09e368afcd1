import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { commitUnconfirmed, isCommitUnconfirmed, isDatabaseUnavailable } from '@/core/db/errors'
import type { ApiContext } from '@/core/http/context'
import { logFailure } from '@/core/http/log-failure'
import { isProblem, Problem, problemBody, problemHeaders } from '@/core/http/problems/problem'
import { type ProblemCode, problems } from '@/core/http/problems/problem-codes'

/** Unknown errors are logged. Their text never reaches the caller. */
export function errorResponse(error: unknown, c: ApiContext): Response {
  if (isProblem(error)) return problemResponse(c, error)
  if (isBadRequest(error)) return problemResponse(c, new Problem('bad_request'))
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
