import type { ReactNode } from 'react'
import type { z } from 'zod'
import { forbidden, notFound, redirect } from '#auth/sessions/next'
import { currentScope } from '#auth/sessions/next-session'
import { slot } from '#config/slot'
import { authorize, type Guard } from '#guard/authorize'
import { anyone } from '#guard/policy'
import { requireRecentSignIn } from '#guard/recent-sign-in'
import { validateInput } from '#http/input'
import { type Fields, type PageRequest, type PreloadPage, registerPage } from '#http/page-registry'
import { requestContext } from '#http/request-context'
import type { Scope } from '#http/scope'
import { declareLimits } from '#rate-limits/rate-limit'
import type { DeferredValue } from '#universal/deferred-value'

export type UnsavedText = (fields: Readonly<Record<string, string>>) => ReactNode

/** Instead of a page whose form was sent without JavaScript after the session had ended. */
export const unsavedText = slot<UnsavedText>('unsavedText')

type Nothing = z.ZodType<undefined>

type Input<Allowed, Params extends z.ZodType, Query extends z.ZodType> = {
  scope: Allowed
  params: z.output<Params>
  query: z.output<Query>
}

type Declaration<
  Allowed extends Scope,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Data,
> = Guard<Allowed> & {
  /** The path, with parameters as in `/things/[id]`. */
  path: string
  /** Invalid parameters are a 404. */
  params?: Params
  /** Invalid query fields are ignored. */
  query?: Query
  /**
   * Loads the page's data. The server calls it before Next renders: a page that waits while it is
   * rendered costs a third more, and could not respond with 503.
   */
  load?: (input: Input<Allowed, Params, Query>) => Promise<Data>
  /**
   * The page is rendered again only if the session, the query or the loaded data has changed. Its
   * components must depend on nothing else: not on the clock, cookies, headers or random numbers.
   */
  renderCache?: boolean | ((input: Input<Allowed, Params, Query>) => boolean)
}

type Props = { params: Promise<Fields>; searchParams: Promise<Fields> }

/** A page that depends on the caller. Every page is made with this or with `publicPage`. */
export function page<
  Allowed extends Scope,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Data = undefined,
>(
  declaration: Declaration<Allowed, Params, Query, Data>,
  render: (input: Input<Allowed, Params, Query> & { data: Data }) => ReactNode | Promise<ReactNode>,
): (props: Props) => Promise<ReactNode> {
  type Loaded = Input<Allowed, Params, Query> & { data: Data; renderCache: boolean }

  const preload: PreloadPage<Loaded> = async (scope, { params, query }) => {
    const denial = await authorize(scope, declaration)
    const here = () => urlOf(declaration.path, params, query)
    if (denial?.code === 'unauthenticated') redirect(withCallback('/sign-in', here()))
    if (denial) forbidden()
    if (await requireRecentSignIn(scope, declaration)) redirect(withCallback('/confirm', here()))
    const input = {
      scope,
      params: declaration.params && parseParams(declaration.params, params),
      query: declaration.query && parseQuery(declaration.query, query),
    } as Input<Allowed, Params, Query>
    const { load, renderCache = false } = declaration
    return {
      ...input,
      data: (await load?.(input)) as Data,
      renderCache: typeof renderCache === 'function' ? renderCache(input) : renderCache,
    }
  }
  declareLimits(declaration.name)
  registerPage(declaration.path, preload, declaration.authorize !== anyone)

  return async (props) => {
    const request = { params: await props.params, query: await props.searchParams }
    const context = requestContext()
    if (context) context.entered = true
    if (context?.unsaved && !declaration.authorize(await currentScope())) {
      return unsavedText.get()(context.unsaved)
    }
    const preloaded = context?.preloaded
    const isSamePage = preloaded?.by === preload && isSameRequest(preloaded.request, request)
    const loaded = isSamePage ? preloaded.data : preload(await currentScope(), request)
    return render((await loaded) as Loaded)
  }
}

/** A page that is the same for every caller, so that it can be prerendered at build time. */
export function publicPage(
  _declaration: { path: string },
  render: () => ReactNode | Promise<ReactNode>,
): () => ReactNode | Promise<ReactNode> {
  return () => render()
}

function isSameRequest(one: PageRequest, other: PageRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function urlOf(path: string, params: Fields, query: Fields): string {
  const filled = path.replace(/\[(\w+)\]/g, (_, name) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((item): [string, string] => [name, item]),
    ),
  )
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** Leads back to the page afterwards. */
function withCallback(page: '/sign-in' | '/confirm', callbackUrl: string): string {
  return `${page}?${new URLSearchParams({ callbackUrl })}`
}

type Parts<Values> = { [Name in keyof Values]: Promise<Values[Name]> }

/**
 * Waits briefly for slow parts of a page, so that it usually arrives complete. A part that takes
 * longer is streamed by `<Deferred>`. A part that fails within the time fails the page.
 */
export async function defer<Values extends Record<string, unknown>>(
  parts: Parts<Values>,
  timeoutMs = 250,
): Promise<{ [Name in keyof Values]: DeferredValue<Values[Name]> }> {
  const deferred = Object.entries(parts).map(([name, value]) => [name, track(value)] as const)
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  try {
    await Promise.race([Promise.all(Object.values(parts)), timeout])
  } finally {
    clearTimeout(timer)
  }
  return Object.fromEntries(deferred) as { [Name in keyof Values]: DeferredValue<Values[Name]> }
}

function track<Value>(promise: Promise<Value>): DeferredValue<Value> {
  const deferred: DeferredValue<Value> = { promise }
  promise.then(
    (value) => {
      deferred.resolved = { value }
    },
    // <Deferred> reports the error; this only avoids an unhandled rejection.
    () => {},
  )
  return deferred
}

/** Invalid parameters are a 404. */
function parseParams(schema: z.ZodType, params: Fields): unknown {
  const result = validateInput(schema, params)
  if (result.errors) notFound()
  return result.data
}

/** Invalid fields are dropped one by one, so that the valid ones stay. */
function parseQuery(schema: z.ZodType, query: Fields): unknown {
  const result = validateInput(schema, query)
  if (!result.errors) return result.data
  const invalid = new Set(result.errors.map(({ field }) => field.split('.')[0]))
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !invalid.has(name)))
  const retried = validateInput(schema, rest)
  return retried.errors ? schema.parse({}) : retried.data
}
