import { Hono } from 'hono'
import {
  cors,
  headers,
  limitBody,
  requestId,
  requestLog,
  sameOrigin,
  unmatchedResponse,
} from '#api/middleware'
import { authJsRoutes } from '#api/routes/authjs'
import { cspReportRoutes } from '#api/routes/csp-reports'
import { healthRoutes } from '#api/routes/health'
import { oauthRoutes } from '#api/routes/oauth'
import { problemRoutes, withOpenApiRoutes } from '#api/routes/reference'
import { sessionRoutes, signInRoutes } from '#api/routes/session'
import { preferenceRoutes, searchRoutes } from '#api/routes/user'
import type { Route } from '#guard/route'
import type { ApiEnvironment } from '#http/api-context'
import { errorResponse } from '#http/problems'
import { installModules } from '#modules/installed-modules'
import type { Module } from '#modules/module'

/** The HTTP API: middleware, the engine's routes and the routes of each module. */
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
  const routes = [
    ...healthRoutes,
    ...sessionRoutes,
    ...signInRoutes,
    ...authJsRoutes,
    ...oauthRoutes,
    ...searchRoutes,
    ...preferenceRoutes,
    ...cspReportRoutes,
    ...installed.flatMap((module) => module.api ?? []),
    ...problemRoutes,
  ]
  return withOpenApiRoutes(fixedPathsFirst(routes))
}

/** The first match handles a request: `/auth/signin/verify` is no provider. */
function fixedPathsFirst(routes: readonly Route[]): Route[] {
  const hasParameter = ({ declaration }: Route) => declaration.path.includes(':')
  return routes.toSorted((one, other) => Number(hasParameter(one)) - Number(hasParameter(other)))
}
