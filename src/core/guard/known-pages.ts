import 'server-only'
import type { Scope } from '@/core/auth/scope'
import { singleton } from '@/core/singleton'

export type Fields = Record<string, string | string[] | undefined>

/** What an address asks of a page. */
export type Asked = { params: Fields; query: Fields }

/** Lets somebody in and fetches what the page shows, or throws what Next answers instead. */
export type Prepare<Given = unknown> = (scope: Scope, asked: Asked) => Promise<Given>

type KnownPage = { pattern: RegExp; prepare: Prepare }

/** By path. Next loads a page when it is first wanted; from then on the host knows it too. */
const pages = singleton('guard.pages', () => new Map<string, KnownPage>())

export function makeKnown(path: string, prepare: Prepare): void {
  const literally = path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = literally.replace(/\\\[(\w+)\\\]/g, '(?<$1>[^/]+)')
  pages.set(path, { pattern: new RegExp(`^${pattern}$`), prepare })
}

/** The page at an address, as far as it is one without anything to be decoded. */
export function findPage(address: string): { prepare: Prepare; params: Fields } | undefined {
  const exact = pages.get(address)
  if (exact) return { prepare: exact.prepare, params: {} }
  for (const { pattern, prepare } of pages.values()) {
    const params = pattern.exec(address)?.groups
    if (params) return { prepare, params: { ...params } }
  }
  return undefined
}
