/** What the command palette finds. */
export type SearchResult = { href: string; label: string; detail?: string }
