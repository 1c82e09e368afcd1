import 'server-only'
import type { z } from 'zod'
import { type Admission, admit } from '@/core/guard/admit'
import { anyone } from '@/core/guard/policy'
import { readBody, readFields } from '@/core/http/body'
import type { ApiContext } from '@/core/http/context'
import { scopeOf } from '@/core/http/identify'
import { isProblem, Problem, tooMany } from '@/core/http/problem'
import type { ProblemCode } from '@/core/http/problems'

type Nothing = z.ZodType<undefined>

type Takes<Body extends z.ZodType, Query extends z.ZodType, Params extends z.ZodType> = {
  body?: Body
  /** A plain HTML form may post here too. */
  forms?: boolean
  /** There may be no body at all; the schema then gets undefined. */
  optional?: boolean
  /** A body that works, for the reference to begin with and for the tests to send. */
  example?: z.input<Body>
  query?: Query
  params?: Params
}

/** One kind of answer: what it means and, where it has a body, of which shape that is. */
export type Answer = {
  description: string
  body?: z.ZodType
  /** Of the body; JSON unless said. */
  type?: string
  headers?: Readonly<Record<string, string>>
}

/** All there is to know of a route from outside. The description of the interface is made of it. */
export type Declaration<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
> = Admission & {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below /api, with parameters as in `/things/:id`. */
  path: string
  summary: string
  description?: string
  takes?: Takes<Body, Query, Params>
  answers: Readonly<Record<number, Answer>>
  /** Anyone may ask, but the answer depends on who it is. */
  asksWho?: boolean
  /** What it can end with besides what every route can. */
  problems?: readonly ProblemCode[]
  /** For people at a plain form: where a problem sends them. Undefined answers the problem itself. */
  sendBack?: (c: ApiContext, problem: Problem) => Promise<Response | undefined>
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

/** A route of the interface. There is no other way to make one, so none lacks its declaration. */
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
      await letIn(c, declaration)
      return await handler(c, (await read(c, declaration)) as Input<Body, Query, Params>)
    } catch (error) {
      const elsewhere = isProblem(error) && (await declaration.sendBack?.(c, error))
      if (elsewhere) return elsewhere
      throw error
    }
  }
}

/** Who asks is looked up only where it matters: most answers are the same for all. */
async function letIn(c: ApiContext, declaration: Declaration): Promise<void> {
  if (declaration.who === anyone && !declaration.limit) return
  const refused = await admit(await scopeOf(c), declaration)
  if (refused?.code === 'rate_limited') throw tooMany(refused.allowance)
  if (refused) throw new Problem(refused.code)
}

async function read(c: ApiContext, { takes = {} }: Declaration) {
  const { body, query, params } = takes
  return {
    params: params && readFields(c.req.param(), params, 'not_found'),
    query: query && readFields(c.req.query(), query, 'validation_failed'),
    body: body && (await readBody(c, body, takes)),
  }
}
