import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { env } from '@/core/env'
import { anyone } from '@/core/guard/policy'
import { type Route, route } from '@/core/guard/route'
import { contentSecurityPolicy } from '@/core/http/content-security-policy'
import { describeInterface } from '@/core/http/description/document'
import { referencePage } from '@/core/http/description/reference-page'

/** The interface as it describes itself: for programs, and for people to read and try. */
export function descriptionRoutes(routes: readonly Route[]): readonly Route[] {
  const all: readonly Route[] = [...routes, description(() => all), ...reference]
  return all
}

function description(routes: () => readonly Route[]): Route {
  return route(
    {
      method: 'get',
      path: '/openapi.json',
      name: 'openapi',
      summary: 'This description',
      who: anyone,
      answers: {
        200: { description: 'OpenAPI 3.1.', body: z.looseObject({ openapi: z.string() }) },
      },
    },
    (c) => c.json(describeInterface(routes(), env().AUTH_URL)),
  )
}

const reference = [
  route(
    {
      method: 'get',
      path: '/docs',
      name: 'reference',
      summary: 'The interactive reference',
      who: anyone,
      answers: { 200: { description: 'A page.', type: 'text/html', body: z.string() } },
    },
    (c) => {
      const https = env().AUTH_URL.startsWith('https:')
      c.header('content-security-policy', contentSecurityPolicy({ https }))
      return c.html(referencePage)
    },
  ),
  asset('swagger-ui-bundle.js', 'text/javascript'),
  asset('swagger-ui.css', 'text/css'),
]

/** What the page needs of the library; nothing else of it can be asked for. */
function asset(file: string, type: string): Route {
  return route(
    {
      method: 'get',
      path: `/docs/${file}`,
      name: `reference_${file.replace(/\W/g, '_')}`,
      summary: 'What the reference is made of',
      who: anyone,
      answers: { 200: { description: 'The file.', type, body: z.string() } },
    },
    async (c) => {
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
