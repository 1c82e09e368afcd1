import { Hono } from 'hono'
import type { Route } from '@/core/guard/route'
import { answerError } from '@/core/http/answer-problem'
import { authJsRoutes } from '@/core/http/authjs-routes'
import type { ApiEnvironment } from '@/core/http/context'
import { crossOrigin } from '@/core/http/cors'
import { descriptionRoutes } from '@/core/http/description-routes'
import { headers } from '@/core/http/headers'
import { healthRoutes } from '@/core/http/health-routes'
import { limitBody } from '@/core/http/limit-body'
import { answerUnmatched } from '@/core/http/methods'
import { problemRoutes } from '@/core/http/problem-routes'
import { providerRoutes } from '@/core/http/provider-routes'
import { requestId } from '@/core/http/request-id'
import { requestLog } from '@/core/http/request-log'
import { sameOrigin } from '@/core/http/same-origin'
import { sessionRoutes } from '@/core/http/session-routes'
import { signInRoutes } from '@/core/http/sign-in-routes'
import type { Module } from '@/core/module'
import { install } from '@/core/shell/installed'
import { modules } from '@/modules'

/** The HTTP interface: what every route passes through, core's routes, and those of each module. */
export function createApi(installed: readonly Module[]): Hono<ApiEnvironment> {
  install(installed)
  const api = new Hono<ApiEnvironment>()
  api.use(requestId, requestLog, headers, crossOrigin, limitBody, sameOrigin)
  api.onError(answerError)
  api.notFound(answerUnmatched(api))
  for (const { declaration, handle } of routesOf(installed)) {
    api.on(declaration.method, `/api${declaration.path}`, handle)
  }
  return api
}

export function routesOf(installed: readonly Module[]): readonly Route[] {
  return descriptionRoutes([
    ...healthRoutes,
    ...sessionRoutes,
    ...signInRoutes,
    ...authJsRoutes,
    ...providerRoutes,
    ...installed.flatMap((module) => module.api ?? []),
    ...problemRoutes,
  ])
}

export const api = createApi(modules)
