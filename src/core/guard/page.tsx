import 'server-only'
import { headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { currentScope } from '@/core/auth/current-scope'
import type { Scope } from '@/core/auth/scope'
import { type Admission, admit } from '@/core/guard/admit'
import { type Asked, type Fields, makeKnown, type Prepare } from '@/core/guard/known-pages'
import { asFarAsKnown, known } from '@/core/guard/page-fields'
import { findVisit } from '@/core/http/page-visit'

type Nothing = z.ZodType<undefined>

type Given<Allowed, Params extends z.ZodType, Query extends z.ZodType> = {
  scope: Allowed
  params: z.output<Params>
  query: z.output<Query>
}

/** All there is to know of a page from outside. */
type Declaration<
  Allowed extends Scope,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Data,
> = Admission<Allowed> & {
  /** Its address, with parameters as in `/things/[id]`. */
  path: string
  /** What is not of this shape has no page. */
  params?: Params
  /** What is not of this shape is as if it were not there. */
  query?: Query
  /**
   * Fetches what the page shows. The host calls it before Next begins: a page that has to wait while
   * it is rendered costs a third more, and could not say that the database is away.
   */
  load?: (given: Given<Allowed, Params, Query>) => Promise<Data>
}

type Props = { params: Promise<Fields>; searchParams: Promise<Fields> }

/**
 * A page that only some may see, or that shows everybody something else. There is no other way to
 * make one; a page that is the same for all is a `publicPage`.
 */
export function page<
  Allowed extends Scope,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Data = undefined,
>(
  declaration: Declaration<Allowed, Params, Query, Data>,
  render: (given: Given<Allowed, Params, Query> & { data: Data }) => ReactNode | Promise<ReactNode>,
): (props: Props) => Promise<ReactNode> {
  type Shown = Given<Allowed, Params, Query> & { data: Data }

  const prepare: Prepare<Shown> = async (scope, { params, query }) => {
    const refused = await admit(scope, declaration)
    if (refused?.code === 'unauthenticated') redirect(signInFor(declaration.path, params, query))
    if (refused) forbidden()
    const given = {
      scope,
      params: declaration.params && known(declaration.params, params),
      query: declaration.query && asFarAsKnown(declaration.query, query),
    } as Given<Allowed, Params, Query>
    return { ...given, data: (await declaration.load?.(given)) as Data }
  }
  makeKnown(declaration.path, prepare)

  return async (props) => {
    const asked = { params: await props.params, query: await props.searchParams }
    const prepared = findVisit(await headers())?.prepared
    const isOurs = prepared?.by === prepare && isSame(prepared.asked, asked)
    const given = isOurs ? prepared.given : prepare(await currentScope(), asked)
    return render((await given) as Shown)
  }
}

/** A page that is the same for all, so that it can be rendered when the application is built. */
export function publicPage(
  _declaration: { path: string },
  render: () => ReactNode | Promise<ReactNode>,
): () => ReactNode | Promise<ReactNode> {
  return () => render()
}

function isSame(one: Asked, other: Asked): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Where they were going is remembered, so that they get there once it is known who they are. */
function signInFor(path: string, params: Fields, query: Fields): string {
  const filled = path.replace(/\[(\w+)\]/g, (_, name) => encodeURIComponent(String(params[name])))
  const wanted = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((item): [string, string] => [name, item]),
    ),
  )
  const callbackUrl = wanted.size > 0 ? `${filled}?${wanted}` : filled
  return `/sign-in?${new URLSearchParams({ callbackUrl })}`
}
