import type { TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { anonymousScope, apiScope } from '#auth/sessions/scope'
import { isAccountFrozen } from '#db/errors'
import { authorize, type Guard } from '#guard/authorize'
import { anyone } from '#guard/policy'
import { requireRecentSignIn } from '#guard/recent-sign-in'
import type { ApiContext } from '#http/api-context'
import { isEmbedded, prefersHtml } from '#http/headers'
import { readBody, readFields } from '#http/input'
import { isProblem, Problem, type ProblemCode } from '#http/problems'
import type { Scope } from '#http/scope'
import { declareLimits, tooManyRequests } from '#rate-limits/rate-limit'
import { type ActionError, type ActionErrorCode, isActionError } from '#universal/action-result'

type Nothing = z.ZodType<undefined>

type InputSchemas<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType> = {
  body?: Body
  /** Also accepts a URL-encoded form. */
  forms?: boolean
  /** Other types of JSON that are accepted too. */
  mediaTypes?: readonly string[]
  /** The body may be omitted; the schema then gets undefined. */
  optional?: boolean
  /** A valid body, for the API reference and the tests. */
  example?: z.input<Body>
  query?: Query
  params?: Params
}

/** OpenAPI is generated from it. */
export type Declaration<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Allowed extends Scope = Scope,
> = Guard<Allowed> & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below /api, with parameters as in `/things/:id`. */
  path: string
  summary: string
  description?: string
  input?: InputSchemas<Body, Query, Params>
  responses: ResponseDeclarations
  /** With `recentSignIn`: the page that links here. A browser returns there from `/confirm`. */
  returnTo?: string
  /** The name of the file that the browser saves. Refused to images, frames and other origins. */
  download?: string | (() => string)
  /** Open to anyone, but the response depends on the caller. */
  readsSession?: boolean
  /** Problems besides those that every route has. */
  problems?: readonly ProblemCode[]
  /** For plain HTML forms: responds with a redirect. Undefined responds with the problem. */
  onProblem?: (c: ApiContext, problem: Problem) => Promise<Response | undefined>
}

type Given<
  Allowed extends Scope,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Params extends z.ZodType,
> = {
  /** The caller. Without `readsSession`, a route for anyone sees every caller as anonymous. */
  scope: Allowed
  input: { body: z.output<Body>; query: z.output<Query>; params: z.output<Params> }
  c: ApiContext
}

export type Route = {
  declaration: Declaration
  handle(c: ApiContext): Promise<Response>
}

/** An API route. Every route is made with this. The returned value is sent as JSON. */
export function route<
  Allowed extends Scope,
  const Responses extends ResponseDeclarations,
  Body extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Params extends z.ZodType = Nothing,
>(
  declaration: Declaration<Body, Query, Params, Allowed> & { responses: Responses },
  handler: (
    given: Given<Allowed, Body, Query, Params>,
  ) => Returned<Responses> | Promise<Returned<Responses>>,
): Route {
  declareLimits(declaration.name)
  return { declaration, handle }

  async function handle(c: ApiContext): Promise<Response> {
    try {
      if (declaration.download && isEmbedded(c)) throw new Problem('download_refused')
      const authorized = await requireAuthorization(c, declaration)
      if (authorized instanceof Response) return authorized
      const scope = authorized as Allowed
      const input = (await readInput(c, declaration)) as Given<
        Allowed,
        Body,
        Query,
        Params
      >['input']
      const response = respond(c, declaration.responses, await handler({ scope, input, c }))
      return asDownload(response, declaration)
    } catch (error) {
      const problem = isAccountFrozen(error) ? new Problem('account_frozen') : error
      const response = isProblem(problem) && (await declaration.onProblem?.(c, problem))
      if (response) return response
      throw problem
    }
  }
}

function asDownload(response: Response, { download }: Pick<Declaration, 'download'>): Response {
  if (download === undefined) return response
  const name = typeof download === 'string' ? download : download()
  response.headers.set('content-disposition', `attachment; filename="${name}"`)
  return response
}

/** The session is read only where it matters. */
async function requireAuthorization(
  c: ApiContext,
  declaration: Declaration,
): Promise<Scope | Response> {
  const { authorize: policy, rateLimit, readsSession } = declaration
  if (policy === anyone && !rateLimit && !readsSession) return anonymousScope(c)
  const scope = await apiScope(c)
  const denial = await authorize(scope, declaration)
  if (denial?.code === 'rate_limited') throw tooManyRequests(denial.result)
  if (denial) throw new Problem(denial.code)
  if (await requireRecentSignIn(scope, declaration)) return confirmFirst(c, declaration)
  return scope
}

/** A browser that follows a link should see a page and not a problem. */
function confirmFirst(c: ApiContext, { returnTo }: Declaration): Response {
  if (returnTo === undefined || !prefersHtml(c)) throw new Problem('reauthentication_required')
  const callbackUrl = returnTo + new URL(c.req.url).search
  return c.redirect(`/confirm?${new URLSearchParams({ callbackUrl })}`, 303)
}

async function readInput(c: ApiContext, { input = {} }: Declaration) {
  const { body, query, params } = input
  return {
    params: params && readFields(c.req.param(), params, 'not_found'),
    query: query && readFields(c.req.query(), query, 'validation_failed'),
    body: body && (await readBody(c, body, input)),
  }
}

export type ResponseDeclaration = {
  description: string
  body?: z.ZodType
  /** The content type of the body; JSON by default. */
  type?: string
  headers?: Readonly<Record<string, string>>
}

type ResponseDeclarations = Readonly<Record<number, ResponseDeclaration>>

/** The result of a handler: the body of one of its JSON responses, or the error of a mutation. */
type Returned<Responses extends ResponseDeclarations> =
  | { [Status in keyof Responses]: ReturnedFor<Status, Responses[Status]> }[keyof Responses]
  | ActionError

type ReturnedFor<Status, Declared> = Declared extends { type: string }
  ? Response
  : Declared extends { body: infer Body extends z.ZodType }
    ? Serializable<z.input<Body>>
    : Status extends 204
      ? undefined
      : Redirect

type Redirect = Response & TypedResponse<undefined, 301 | 302 | 303 | 307 | 308, 'redirect'>

/** A value that becomes the type as JSON. A date becomes a string. */
type Serializable<Type> = Type extends string
  ? string extends Type
    ? Type | Date
    : Type
  : Type extends readonly (infer Item)[]
    ? readonly Serializable<Item>[]
    : Type extends object
      ? { [Key in keyof Type]: Serializable<Type[Key]> }
      : Type

/** A value is sent with the first declared status. */
function respond(c: ApiContext, responses: ResponseDeclarations, value: unknown): Response {
  if (value instanceof Response) return value
  if (isActionError(value)) throw toProblem(value)
  if (value === undefined) return c.body(null, 204)
  const [status = '200'] = Object.keys(responses)
  return c.json(value, Number(status) as ContentfulStatusCode)
}

const problemCodes: Record<ActionErrorCode, ProblemCode> = {
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  reauthentication_required: 'reauthentication_required',
  proof_required: 'proof_required',
  not_found: 'not_found',
  invalid: 'validation_failed',
  conflict: 'conflict',
  rate_limited: 'rate_limited',
  unavailable: 'database_unreachable',
  internal: 'internal',
}

function toProblem({ code, message, errors, change, retryAfter }: ActionError): Problem {
  return new Problem(problemCodes[code], {
    detail: message,
    ...(errors ? { errors } : {}),
    ...(change ? { change } : {}),
    ...(retryAfter ? { headers: { 'retry-after': String(retryAfter) } } : {}),
  })
}
