/**
 * Where to go afterwards, as a path of this origin. Whatever would lead elsewhere, or is no
 * address at all, leads home.
 */
export function safeCallback(wanted: string | undefined, authUrl: string): string {
  const { origin } = new URL(authUrl)
  // A browser drops control characters and takes a backslash for a slash; so no guessing here.
  if (wanted === undefined || /[\p{Cc}\\]/u.test(wanted) || !URL.canParse(wanted, origin))
    return '/'
  const url = new URL(wanted, origin)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return '/'
  const path = url.pathname + url.search + url.hash
  // A blob: URL has our origin too, but what it calls its path is another address.
  return /^\/(?!\/)/.test(path) ? path : '/'
}
