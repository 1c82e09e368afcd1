import 'server-only'
import { forbidden, notFound, redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { currentScope } from '@/core/auth/current-scope'
import type { Scope } from '@/core/auth/scope'
import { type Admission, admit } from '@/core/guard/admit'
import { checkFields } from '@/core/http/check-fields'

type Nothing = z.ZodType<undefined>

/** All there is to know of a page from outside. */
type Declaration<
  Allowed extends Scope,
  Params extends z.ZodType,
  Query extends z.ZodType,
> = Admission<Allowed> & {
  /** Its address, with parameters as in `/things/[id]`. */
  path: string
  /** What is not of this shape has no page. */
  params?: Params
  /** What is not of this shape is as if it were not there. */
  query?: Query
}

type Fields = Record<string, string | string[] | undefined>

type Props = { params: Promise<Fields>; searchParams: Promise<Fields> }

type Given<Allowed, Params, Query> = { scope: Allowed; params: Params; query: Query }

/**
 * A page that only some may see, or that shows everybody something else. There is no other way to
 * make one; a page that is the same for all is a `publicPage`.
 */
export function page<
  Allowed extends Scope,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
>(
  declaration: Declaration<Allowed, Params, Query>,
  render: (
    given: Given<Allowed, z.output<Params>, z.output<Query>>,
  ) => ReactNode | Promise<ReactNode>,
): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    const params = await props.params
    const query = await props.searchParams
    const scope = await currentScope()
    const refused = await admit(scope, declaration)
    if (refused?.code === 'unauthenticated') redirect(signInFor(declaration.path, params, query))
    if (refused) forbidden()
    return render({
      scope: scope as Allowed,
      params: declaration.params && known(declaration.params, params),
      query: declaration.query && asFarAsKnown(declaration.query, query),
    } as Given<Allowed, z.output<Params>, z.output<Query>>)
  }
}

/** A page that is the same for all, so that it can be rendered when the application is built. */
export function publicPage(
  _declaration: { path: string },
  render: () => ReactNode | Promise<ReactNode>,
): () => ReactNode | Promise<ReactNode> {
  return () => render()
}

function known(schema: z.ZodType, params: Fields): unknown {
  const checked = checkFields(schema, params)
  if (checked.errors) notFound()
  return checked.data
}

/** Field by field: one that is wrong must not lose the others. */
function asFarAsKnown(schema: z.ZodType, query: Fields): unknown {
  const checked = checkFields(schema, query)
  if (!checked.errors) return checked.data
  const wrong = new Set(checked.errors.map(({ field }) => field.split('.')[0]))
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !wrong.has(name)))
  const again = checkFields(schema, rest)
  return again.errors ? schema.parse({}) : again.data
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
