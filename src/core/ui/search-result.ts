/** What the command palette finds. */
export type SearchResult = { href: string; label: string; detail?: string }

export type SearchGroup = { title: string; results: readonly SearchResult[] }
