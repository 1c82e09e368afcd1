import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Scope } from '@/core/auth/scope'
import type { Asked, Prepare } from '@/core/guard/known-pages'
import { singleton } from '@/core/singleton'

/** What the host knows of a request for a page. */
export type Visit = {
  address: string | undefined
  /** For the log. */
  userId?: string | undefined
  scope?: Scope
  /** What a page has been given before Next began with it. */
  prepared?: { by: Prepare; asked: Asked; given: Promise<unknown> }
}

/** Named at random, so that no caller can claim a visit; known to both bundles of this one process. */
const visits = singleton('host.visits', () => ({
  header: `x-plinth-visit-${crypto.randomUUID()}`,
  open: new Map<string, Visit>(),
  opened: 0,
}))

/** A page sees headers and nothing else, so one of them leads it to what the host knows. */
export function openVisit(request: IncomingMessage, response: ServerResponse): Visit {
  const address = request.socket.remoteAddress
  const visit: Visit = { address }
  visits.opened += 1
  const key = `${visits.opened} ${address ?? ''}`
  visits.open.set(key, visit)
  request.headers[visits.header] = key
  response.once('close', () => visits.open.delete(key))
  return visit
}

/**
 * Undefined where Next is the host. Whoever has left before an answer is still who they were: what an
 * action counts and records by address must not depend on their staying.
 */
export function findVisit(headers: { get(name: string): string | null }): Visit | undefined {
  const key = headers.get(visits.header)
  if (key === null) return undefined
  return visits.open.get(key) ?? { address: key.slice(key.indexOf(' ') + 1) || undefined }
}
