import type { IncomingMessage, ServerResponse } from 'node:http'
import { singleton } from '@/core/config/singleton'
import type { Scope } from '@/core/http/scope'

export type Fields = Record<string, string | string[] | undefined>

export type PageRequest = { params: Fields; query: Fields }

/** Authorizes the caller and loads the page's data, or throws what Next responds with instead. */
export type PreloadPage<Data = unknown> = (scope: Scope, request: PageRequest) => Promise<Data>

/** What the server knows about a request for a page. */
export type RequestContext = {
  /** The other end of the connection. */
  remoteIp: string | undefined
  /** For the request log. */
  userId?: string | undefined
  scope?: Scope
  /** Loaded before Next started to render. */
  preloaded?: { by: PreloadPage; request: PageRequest; data: Promise<unknown> }
}

/** The header's name is random, so that no caller can claim another's context. */
const contexts = singleton('request-contexts', () => ({
  header: `x-plinth-request-${crypto.randomUUID()}`,
  open: new Map<string, RequestContext>(),
  opened: 0,
}))

/** A page sees headers only, so a header leads it to the context. */
export function openRequestContext(
  request: IncomingMessage,
  response: ServerResponse,
): RequestContext {
  const remoteIp = request.socket.remoteAddress
  const context: RequestContext = { remoteIp }
  contexts.opened += 1
  const key = `${contexts.opened} ${remoteIp ?? ''}`
  contexts.open.set(key, context)
  request.headers[contexts.header] = key
  response.once('close', () => contexts.open.delete(key))
  return context
}

/**
 * Undefined when Next is the host. The key carries the IP, because an action may still run after
 * its client has disconnected, and must be limited and audited by the same IP.
 */
export function findRequestContext(headers: {
  get(name: string): string | null
}): RequestContext | undefined {
  const key = headers.get(contexts.header)
  if (key === null) return undefined
  return contexts.open.get(key) ?? { remoteIp: key.slice(key.indexOf(' ') + 1) || undefined }
}
