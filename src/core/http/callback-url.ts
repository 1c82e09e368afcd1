/** Where our own pages lead after sign-in, sign-up and reset. The API's default stays `/`. */
export function callbackUrlOrHome(requested: string | undefined, authUrl: string): string {
  const url = safeCallbackUrl(requested, authUrl)
  return url === '/' && requested !== '/' ? '/home' : url
}

/** A path on this origin. Any other URL, and anything that is not a URL, becomes `/`. */
export function safeCallbackUrl(requested: string | undefined, authUrl: string): string {
  const { origin } = new URL(authUrl)
  // A browser drops control characters and reads a backslash as a slash.
  if (requested === undefined || /[\p{Cc}\\]/u.test(requested)) return '/'
  if (!URL.canParse(requested, origin)) return '/'
  const url = new URL(requested, origin)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return '/'
  const path = url.pathname + url.search + url.hash
  // A blob: URL has our origin too, and its path is another URL.
  return /^\/(?!\/)/.test(path) ? path : '/'
}
