/** An entry of the command palette. */
export type SearchResult = { href: string; label: string; detail?: string }

export type SearchGroup = { title: string; results: readonly SearchResult[] }
