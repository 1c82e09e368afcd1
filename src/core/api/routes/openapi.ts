import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { openApiDocument } from '@/core/api/openapi/document'
import { referencePage } from '@/core/api/openapi/reference-page'
import { env } from '@/core/config/env'
import { anyone } from '@/core/guard/policy'
import { type Route, route } from '@/core/guard/route'
import { contentSecurityPolicy } from '@/core/http/content-security-policy'

/** The OpenAPI document and the interactive reference, which include themselves. */
export function withOpenApiRoutes(routes: readonly Route[]): readonly Route[] {
  const all: readonly Route[] = [...routes, openApi(() => all), ...reference]
  return all
}

function openApi(routes: () => readonly Route[]): Route {
  return route(
    {
      method: 'get',
      path: '/openapi.json',
      name: 'openapi',
      summary: 'The OpenAPI document',
      authorize: anyone,
      responses: {
        200: { description: 'OpenAPI 3.1.', body: z.looseObject({ openapi: z.string() }) },
      },
    },
    () => openApiDocument(routes(), env().AUTH_URL),
  )
}

const reference = [
  route(
    {
      method: 'get',
      path: '/docs',
      name: 'reference',
      summary: 'The API reference',
      authorize: anyone,
      responses: { 200: { description: 'An HTML page.', type: 'text/html', body: z.string() } },
    },
    ({ c }) => {
      const https = env().AUTH_URL.startsWith('https:')
      c.header('content-security-policy', contentSecurityPolicy({ https }))
      return c.html(referencePage)
    },
  ),
  asset('swagger-ui-bundle.js', 'text/javascript'),
  asset('swagger-ui.css', 'text/css'),
]

/** One file of Swagger UI. No other file of the package is served. */
function asset(file: string, type: string): Route {
  return route(
    {
      method: 'get',
      path: `/docs/${file}`,
      name: `reference_${file.replace(/\W/g, '_')}`,
      summary: 'An asset of the API reference',
      authorize: anyone,
      responses: { 200: { description: 'The file.', type, body: z.string() } },
    },
    async ({ c }) => {
      const headers = {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'public, max-age=3600',
      }
      return c.body(await readFile(join(libraryFolder(), file)), 200, headers)
    },
  )
}

function libraryFolder(): string {
  const require = createRequire(join(process.cwd(), 'package.json'))
  return dirname(require.resolve('swagger-ui-dist/package.json'))
}
