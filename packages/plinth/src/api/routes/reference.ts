import { z } from 'zod'
import { openApiDocument } from '#api/openapi/document'
import { env } from '#config/env'
import { anyone } from '#guard/policy'
import { type Route, route } from '#guard/route'
import { apiReference } from '#http/app-markup'
import { contentSecurityPolicy } from '#http/headers'
import type { OpenApi } from '#http/open-api'
import { type ProblemCode, problems } from '#http/problems'
import { withSiteTags } from '#http/site-tags'

/** The OpenAPI document and the reference, which include themselves. */
export function withOpenApiRoutes(routes: readonly Route[]): readonly Route[] {
  const all: readonly Route[] = [...routes, openApi(() => all), reference(() => all)]
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

function reference(routes: () => readonly Route[]): Route {
  const rendered: { authUrl?: string; html?: Promise<string> } = {}

  /** The same for every caller, so it is rendered once. In development the stylesheet changes. */
  function htmlFor(authUrl: string): Promise<string> {
    if (!rendered.html || rendered.authUrl !== authUrl || process.env.NODE_ENV === 'development') {
      Object.assign(rendered, { authUrl, html: renderReference(routes(), authUrl) })
    }
    return rendered.html as Promise<string>
  }

  return route(
    {
      method: 'get',
      path: '/docs',
      name: 'reference',
      summary: 'The API reference',
      authorize: anyone,
      responses: { 200: { description: 'An HTML page.', type: 'text/html', body: z.string() } },
    },
    async ({ c }) => {
      const { AUTH_URL } = env()
      const https = AUTH_URL.startsWith('https:')
      c.header('content-security-policy', contentSecurityPolicy({ https }))
      return c.html(await htmlFor(AUTH_URL))
    },
  )
}

/** From the document as it is served. */
async function renderReference(routes: readonly Route[], authUrl: string): Promise<string> {
  const document: OpenApi = JSON.parse(JSON.stringify(openApiDocument(routes, authUrl)))
  const html = await apiReference.get()(document, authUrl)
  return withSiteTags(html, new URL('/api/docs', authUrl).href)
}

const code = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])

const publicProblem = z.strictObject({
  code,
  status: z.int(),
  title: z.string(),
  detail: z.string(),
})

/** The targets of the `type` of a problem. */
export const problemRoutes = [
  route(
    {
      method: 'get',
      path: '/problems',
      name: 'problems',
      summary: 'List all problems',
      authorize: anyone,
      responses: {
        200: {
          description: 'All problems.',
          body: z.strictObject({ problems: z.array(publicProblem) }),
        },
      },
    },
    () => ({ problems: code.options.map(toPublicProblem) }),
  ),
  route(
    {
      method: 'get',
      path: '/problems/:code',
      name: 'problem',
      summary: 'Get a problem by its code',
      authorize: anyone,
      input: { params: z.object({ code }) },
      responses: { 200: { description: 'The problem.', body: publicProblem } },
      problems: ['not_found'],
    },
    ({ input: { params } }) => toPublicProblem(params.code),
  ),
]

function toPublicProblem(code: ProblemCode) {
  const [status, title, detail] = problems[code]
  return { code, status, title, detail }
}
