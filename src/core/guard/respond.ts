import 'server-only'
import type { TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { Problem, type ProblemCode } from '@/core/http/problems'
import type { ApiContext } from '@/core/http/scope'
import { type ActionError, type ActionErrorCode, isActionError } from '@/core/ui/action-result'

export type ResponseDeclaration = {
  description: string
  body?: z.ZodType
  /** The content type of the body; JSON by default. */
  type?: string
  headers?: Readonly<Record<string, string>>
}

export type ResponseDeclarations = Readonly<Record<number, ResponseDeclaration>>

/** What a handler returns: the body of one of its JSON responses, or the error of a mutation. */
export type Returned<Responses extends ResponseDeclarations> =
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
export function respond(c: ApiContext, responses: ResponseDeclarations, value: unknown): Response {
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
  not_found: 'not_found',
  invalid: 'validation_failed',
  conflict: 'conflict',
  rate_limited: 'rate_limited',
  unavailable: 'database_unreachable',
  internal: 'internal',
}

function toProblem({ code, message, errors, retryAfter }: ActionError): Problem {
  return new Problem(problemCodes[code], {
    detail: message,
    ...(errors ? { errors } : {}),
    ...(retryAfter ? { headers: { 'retry-after': String(retryAfter) } } : {}),
  })
}
