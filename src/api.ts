import { Hono } from 'hono'
import { answerError } from '@/core/http/answer-problem'
import { authRoutes } from '@/core/http/auth-routes'
import type { ApiEnvironment } from '@/core/http/context'
import { crossOrigin } from '@/core/http/cors'
import { headers } from '@/core/http/headers'
import { healthRoutes } from '@/core/http/health-routes'
import { limitBody } from '@/core/http/limit-body'
import { answerUnmatched } from '@/core/http/methods'
import { problemRoutes } from '@/core/http/problem-routes'
import { requestId } from '@/core/http/request-id'
import { requestLog } from '@/core/http/request-log'
import { sameOrigin } from '@/core/http/same-origin'
import type { Module } from '@/core/module'
import { modules } from '@/modules'

/** The HTTP interface: what every route passes through, core's routes, and those of each module. */
export function createApi(installed: readonly Module[]): Hono<ApiEnvironment> {
  const api = new Hono<ApiEnvironment>()
  api.use(requestId, requestLog, headers, crossOrigin, limitBody, sameOrigin)
  api.onError(answerError)
  api.notFound(answerUnmatched(api))
  api.route('/api', healthRoutes)
  api.route('/api', problemRoutes)
  api.route('/api', authRoutes)
  for (const module of installed) if (module.api) api.route('/api', module.api)
  return api
}

export const api = createApi(modules)
