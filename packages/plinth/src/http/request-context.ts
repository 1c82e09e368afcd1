import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageRequest, PreloadPage } from '#http/page-registry'
import type { Scope } from '#http/scope'

/** The server's knowledge about a request for a page. */
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
  /** The texts, by field, that were typed into a form whose session has ended. */
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
