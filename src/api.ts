import { Hono } from 'hono'
import { cors } from '@/core/api/middleware/cors'
import { headers } from '@/core/api/middleware/headers'
import { limitBody } from '@/core/api/middleware/limit-body'
import { requestId } from '@/core/api/middleware/request-id'
import { requestLog } from '@/core/api/middleware/request-log'
import { sameOrigin } from '@/core/api/middleware/same-origin'
import { authJsRoutes } from '@/core/api/routes/authjs'
import { healthRoutes } from '@/core/api/routes/health'
import { oauthRoutes } from '@/core/api/routes/oauth'
import { withOpenApiRoutes } from '@/core/api/routes/openapi'
import { preferenceRoutes } from '@/core/api/routes/preferences'
import { problemRoutes } from '@/core/api/routes/problems'
import { searchRoutes } from '@/core/api/routes/search'
import { sessionRoutes } from '@/core/api/routes/session'
import { signInRoutes } from '@/core/api/routes/sign-in'
import { unmatchedResponse } from '@/core/api/unmatched'
import type { Route } from '@/core/guard/route'
import { errorResponse } from '@/core/http/problems'
import type { ApiEnvironment } from '@/core/http/scope'
import { installModules } from '@/core/layout/installed-modules'
import type { Module } from '@/core/module'
import { modules } from '@/modules'

/** The HTTP API: middleware, core's routes and the routes of each module. */
export function createApi(installed: readonly Module[]): Hono<ApiEnvironment> {
  installModules(installed)
  const api = new Hono<ApiEnvironment>()
  api.use(requestId, requestLog, headers, cors, limitBody, sameOrigin)
  api.onError(errorResponse)
  api.notFound(unmatchedResponse(api))
  for (const { declaration, handle } of routesOf(installed)) {
    api.on(declaration.method, `/api${declaration.path}`, handle)
  }
  return api
}

export function routesOf(installed: readonly Module[]): readonly Route[] {
  return withOpenApiRoutes([
    ...healthRoutes,
    ...sessionRoutes,
    ...signInRoutes,
    ...authJsRoutes,
    ...oauthRoutes,
    ...searchRoutes,
    ...preferenceRoutes,
    ...installed.flatMap((module) => module.api ?? []),
    ...problemRoutes,
  ])
}

export const api = createApi(modules)
