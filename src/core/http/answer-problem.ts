import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isUnreachable } from '@/core/db/errors'
import type { ApiContext } from '@/core/http/context'
import { isProblem, Problem, problemBody, problemHeaders } from '@/core/http/problem'
import { type ProblemCode, problems } from '@/core/http/problems'
import { log } from '@/core/log'

/** Whatever was thrown, the caller gets a problem from the list and nothing of what was thrown. */
export function answerError(error: unknown, c: ApiContext): Response {
  if (isProblem(error)) return answerProblem(c, error)
  if (error instanceof Error && 'status' in error && error.status === 400) {
    return answerProblem(c, new Problem('bad_request'))
  }
  const code: ProblemCode = isUnreachable(error) ? 'database_unreachable' : 'internal'
  log().error({ requestId: c.get('requestId'), err: error }, 'request failed')
  return answerProblem(c, new Problem(code))
}

export function answerProblem(c: ApiContext, { code, extras }: Problem): Response {
  const status = problems[code][0] as ContentfulStatusCode
  const body = problemBody(code, c.get('requestId'), extras)
  return c.body(JSON.stringify(body), status, problemHeaders(code, extras))
}
