import { z } from 'zod'
import { collectSchemas, describeOperation, tagOf } from '@/core/api/openapi/operation'
import { cookieNames } from '@/core/auth/sessions/cookie'
import { productName } from '@/core/config/product-name'
import type { Route } from '@/core/guard/route'
import { type ProblemCode, problems } from '@/core/http/problems'

/** OpenAPI 3.1, generated from the declarations of the routes. */
export function openApiDocument(routes: readonly Route[], authUrl: string) {
  const schemas = collectSchemas()
  schemas.add(problemSchema, 'output')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { declaration } of routes) {
    const path = pathOf(declaration.path)
    paths[path] = { ...paths[path], [declaration.method]: describeOperation(declaration, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: productName,
      version: '1',
      description:
        'Errors are problems as in RFC 9457; `code` is stable. A live bearer token wins over the session cookie. State-changing requests that are authenticated by the cookie must be same-origin.',
    },
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: schemas.all(),
      headers: {
        RequestId: { description: 'The request id, also in the log.', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'string' } },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `token` that signing in with `transport: "bearer"` returns.',
        },
        cookie: { type: 'apiKey', in: 'cookie', name: cookieNames(authUrl).session },
      },
    },
  }
}

/** `/things/:id` becomes `/api/things/{id}`. */
function pathOf(path: string): string {
  return `/api${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`
}

function tagsOf(routes: readonly Route[]): { name: string }[] {
  const names = new Set(routes.map(({ declaration }) => tagOf(declaration)))
  return [...names].map((name) => ({ name }))
}

const problemSchema = z
  .strictObject({
    type: z.string().describe('The URL of a description of this problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]).describe('Stable.'),
    requestId: z.string().describe('Also in the header X-Request-Id and in the log.'),
    errors: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .describe('The invalid fields.'),
    url: z.string().optional().describe('For Auth.js’s client: the sign-in page with the error.'),
    challenge: z.string().optional().describe('With `second_factor_required`: the sign-in.'),
    methods: z.array(z.string()).optional().describe('What completes that sign-in.'),
  })
  .meta({ id: 'Problem' })
