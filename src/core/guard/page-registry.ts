import 'server-only'
import { singleton } from '@/core/config/singleton'
import type { Fields, PreloadPage } from '@/core/http/request-context'

type RegisteredPage = { pattern: RegExp; preload: PreloadPage; isPrivate: boolean }

/** By path. Next's bundle registers pages; the server's bundle looks them up. */
const pages = singleton('page-registry', () => new Map<string, RegisteredPage>())

/** A private page needs a session. */
export function registerPage(path: string, preload: PreloadPage, isPrivate = false): void {
  const escaped = path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = escaped.replace(/\\\[(\w+)\\\]/g, '(?<$1>[^/]+)')
  pages.set(path, { pattern: new RegExp(`^${pattern}$`), preload, isPrivate })
}

export function isPrivatePage(path: string): boolean {
  const exact = pages.get(path)
  if (exact) return exact.isPrivate
  return [...pages.values()].some(({ pattern, isPrivate }) => isPrivate && pattern.test(path))
}

/** Undefined also for a path with encoded characters: the page then loads its data itself. */
export function findPage(path: string): { preload: PreloadPage; params: Fields } | undefined {
  const exact = pages.get(path)
  if (exact) return { preload: exact.preload, params: {} }
  for (const { pattern, preload } of pages.values()) {
    const params = pattern.exec(path)?.groups
    if (params) return { preload, params: { ...params } }
  }
  return undefined
}
