import 'server-only'
import type { z } from 'zod'
import { apiScope } from '@/core/auth/sessions/api-scope'
import { authorize, type Guard } from '@/core/guard/authorize'
import { anyone } from '@/core/guard/policy'
import { readBody, readFields } from '@/core/http/body'
import type { ApiContext } from '@/core/http/context'
import { isProblem, Problem } from '@/core/http/problem'
import type { ProblemCode } from '@/core/http/problems'
import { tooManyRequests } from '@/core/rate-limits/too-many-requests'

type Nothing = z.ZodType<undefined>

type InputSchemas<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType> = {
  body?: Body
  /** Also accepts a URL-encoded form. */
  forms?: boolean
  /** The body may be omitted; the schema then gets undefined. */
  optional?: boolean
  /** A valid body, for the API reference and the tests. */
  example?: z.input<Body>
  query?: Query
  params?: Params
}

export type ResponseDeclaration = {
  description: string
  body?: z.ZodType
  /** The content type of the body; JSON by default. */
  type?: string
  headers?: Readonly<Record<string, string>>
}

/** OpenAPI is generated from it. */
export type Declaration<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
> = Guard & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below /api, with parameters as in `/things/:id`. */
  path: string
  summary: string
  description?: string
  input?: InputSchemas<Body, Query, Params>
  responses: Readonly<Record<number, ResponseDeclaration>>
  /** Open to anyone, but the response depends on the caller. */
  readsSession?: boolean
  /** Problems besides those that every route has. */
  problems?: readonly ProblemCode[]
  /** For plain HTML forms: responds with a redirect. Undefined responds with the problem. */
  onProblem?: (c: ApiContext, problem: Problem) => Promise<Response | undefined>
}

type Input<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType> = {
  body: z.output<Body>
  query: z.output<Query>
  params: z.output<Params>
}

export type Route = {
  declaration: Declaration
  handle(c: ApiContext): Promise<Response>
}

/** An API route. Every route is made with this. */
export function route<
  Body extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Params extends z.ZodType = Nothing,
>(
  declaration: Declaration<Body, Query, Params>,
  handler: (c: ApiContext, input: Input<Body, Query, Params>) => Response | Promise<Response>,
): Route {
  return { declaration, handle }

  async function handle(c: ApiContext): Promise<Response> {
    try {
      await requireAuthorization(c, declaration)
      return await handler(c, (await readInput(c, declaration)) as Input<Body, Query, Params>)
    } catch (error) {
      const response = isProblem(error) && (await declaration.onProblem?.(c, error))
      if (response) return response
      throw error
    }
  }
}

/** The session is read only where it matters. */
async function requireAuthorization(c: ApiContext, declaration: Declaration): Promise<void> {
  if (declaration.authorize === anyone && !declaration.rateLimit) return
  const denial = await authorize(await apiScope(c), declaration)
  if (denial?.code === 'rate_limited') throw tooManyRequests(denial.result)
  if (denial) throw new Problem(denial.code)
}

async function readInput(c: ApiContext, { input = {} }: Declaration) {
  const { body, query, params } = input
  return {
    params: params && readFields(c.req.param(), params, 'not_found'),
    query: query && readFields(c.req.query(), query, 'validation_failed'),
    body: body && (await readBody(c, body, input)),
  }
}
