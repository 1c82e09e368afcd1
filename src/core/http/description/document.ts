import { cookieNames } from '@/core/auth/cookie-names'
import type { Route } from '@/core/guard/route'
import { describeOperation, tagOf } from '@/core/http/description/operation'
import { problemSchema } from '@/core/http/description/problem-schema'
import { gatherSchemas } from '@/core/http/description/schemas'
import { productName } from '@/core/name'

/** The interface as OpenAPI 3.1, made of the declarations that also guard and validate it. */
export function describeInterface(routes: readonly Route[], authUrl: string) {
  const schemas = gatherSchemas()
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
        'Errors are problems as in RFC 9457; `code` is stable. A live bearer token wins over the session cookie. Requests that change something and are authenticated by the cookie must come from the same origin.',
    },
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: schemas.all(),
      headers: {
        RequestId: { description: 'As in the log.', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'string' } },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `token` that signing in with `transport: "bearer"` answers with.',
        },
        cookie: { type: 'apiKey', in: 'cookie', name: cookieNames(authUrl).session },
      },
    },
  }
}

/** `/things/:id` is `/things/{id}` there. */
function pathOf(path: string): string {
  return `/api${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`
}

function tagsOf(routes: readonly Route[]): { name: string }[] {
  const names = new Set(routes.map(({ declaration }) => tagOf(declaration)))
  return [...names].map((name) => ({ name }))
}
