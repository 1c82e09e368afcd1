import type { Scope, Session } from '#http/scope'

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
