import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Role, Theme } from '#universal/users'

/** The columns of a user that their own session may show. */
export type SessionUser = {
  id: string
  email: string
  name: string
  role: Role
  /** Preferences, which the API does not return. Absent: the browser decides. */
  timeZone?: string | null | undefined
  theme?: Theme | null | undefined
}

/** A live session. The token is not part of it. */
export type Session = {
  id: string
  user: SessionUser
  createdAt: Date
  expiresAt: Date
  /** When the user last proved who they are. */
  authenticatedAt: Date
  /** `password`, `link`, or the id of an OAuth provider. */
  authenticatedBy: string
}

/** The caller of an operation. Data functions take it first. */
export type Scope = {
  session: Session | undefined
  /** Authenticated by a live bearer token and not by the cookie. */
  bearer: boolean
  ip: string
  requestId: string
  /** Stored with a new session, so that its user recognizes the device. */
  userAgent?: string | undefined
  /** The device cookie, unverified. */
  device?: string | undefined
}

/**
 * The time zone that the user chose. Undefined: that of the browser, which the server does not know.
 *
 * @public For modules that read or show days.
 */
export function timeZoneOf({ session }: Pick<Scope, 'session'>): string | undefined {
  return session?.user.timeZone ?? undefined
}

export type ApiEnvironment = {
  /** Node's request and response; absent when Next is the host. */
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    /** The body, once it has been read. */
    body?: string
    /** For the request log. */
    userId?: string
    /** The caller, once it has been read. */
    scope?: Scope
  }
}

export type ApiContext = Context<ApiEnvironment>

type RegisteredPage = { pattern: RegExp; preload: PreloadPage; isPrivate: boolean }

const pagesByPath = new Map<string, RegisteredPage>()

/** A private page needs a session. */
export function registerPage(path: string, preload: PreloadPage, isPrivate = false): void {
  const escaped = path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = escaped.replace(/\\\[(\w+)\\\]/g, '(?<$1>[^/]+)')
  pagesByPath.set(path, { pattern: new RegExp(`^${pattern}$`), preload, isPrivate })
}

export function isPrivatePage(path: string): boolean {
  const exact = pagesByPath.get(path)
  if (exact) return exact.isPrivate
  return [...pagesByPath.values()].some(({ pattern, isPrivate }) => isPrivate && pattern.test(path))
}

/** Undefined also for a path with encoded characters: the page then loads its data itself. */
export function findPage(path: string): { preload: PreloadPage; params: Fields } | undefined {
  const exact = pagesByPath.get(path)
  if (exact) return { preload: exact.preload, params: {} }
  for (const { pattern, preload } of pagesByPath.values()) {
    const params = pattern.exec(path)?.groups
    if (params) return { preload, params: { ...params } }
  }
  return undefined
}

export type Fields = Record<string, string | string[] | undefined>

export type PageRequest = { params: Fields; query: Fields }

/** All that a page with a render cache is rendered from. */
export type RenderInput = {
  session: Session | undefined
  params: unknown
  query: unknown
  /** Without promises. */
  data: unknown
}

/** Authorizes the caller and loads the page's data, or throws what Next responds with instead. */
export type PreloadPage<Data = unknown> = (scope: Scope, request: PageRequest) => Promise<Data>

/** What the server knows about a request for a page. */
export type RequestContext = {
  /** The other end of the connection. */
  remoteIp: string | undefined
  /** For the request log. */
  userId?: string | undefined
  /** Our code has started to handle the request: from then on a failure is ours. */
  entered?: boolean
  /** The request that Next sends to this server again as this one. */
  original?: RequestContext | undefined
  /** It was rejected when Next sent it again. */
  unreadable?: boolean
  /** The status of an action that Next sent again as another request. */
  actionStatus?: number
  /** What was typed into a form whose session has ended, by field. */
  unsaved?: Readonly<Record<string, string>>
  /** The cookie with the message that this page shows. */
  flash?: string | undefined
  /** The page that Next rendered into this response has shown the message. */
  flashShown?: boolean
  scope?: Scope
  /** Loaded before Next started to render. */
  preloaded?: { by: PreloadPage; request: PageRequest; data: Promise<unknown> }
}

const contexts = new AsyncLocalStorage<RequestContext>()

/** The context of the request that is being handled. It is undefined when Next is the host. */
export function requestContext(): RequestContext | undefined {
  return contexts.getStore()
}

export function runInContext<Result>(context: RequestContext, work: () => Result): Result {
  return contexts.run(context, work)
}

/** Random, so that no caller can claim another's context. Workers inherit it from the primary. */
function headerName(): string {
  process.env.PLINTH_CONTEXT_HEADER ||= `x-plinth-request-${crypto.randomUUID()}`
  return process.env.PLINTH_CONTEXT_HEADER
}

/** The requests that Next may send to this server again, as it has received them: those of actions. */
const forms = { header: headerName(), open: new Map<string, RequestContext>(), opened: 0 }

/** Whether Next sent the request, for an action that another page has or for the page after a redirect. */
export function isSentAgain({ headers }: IncomingMessage): boolean {
  return headers[forms.header] !== undefined
}

/** A request that Next sends again is another one for the server. A header leads to the first. */
export function openRequestContext(
  request: IncomingMessage,
  response: ServerResponse,
): RequestContext {
  const sentAgain = request.headers[forms.header]
  delete request.headers[forms.header]
  const original = typeof sentAgain === 'string' ? contextOf(sentAgain) : undefined
  const remoteIp = original ? original.remoteIp : request.socket.remoteAddress
  const context: RequestContext = { remoteIp, original }
  if (request.method !== 'GET') {
    forms.opened += 1
    const key = `${forms.opened} ${remoteIp ?? ''}`
    forms.open.set(key, context)
    request.headers[forms.header] = key
    response.once('close', () => forms.open.delete(key))
  }
  return context
}

/**
 * The key carries the IP, because an action may still run after its client has disconnected, and must
 * be limited and audited by the same IP.
 */
function contextOf(key: string): RequestContext {
  return forms.open.get(key) ?? { remoteIp: key.slice(key.indexOf(' ') + 1) || undefined }
}
