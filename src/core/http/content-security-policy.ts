type Sources = {
  /** For a page rendered per request: Next adds it to its scripts. */
  nonce?: string
  /** For prerendered pages: the hashes of their inline scripts. */
  hashes?: readonly string[]
  https: boolean
  /** Origins that a form redirects to: browsers apply `form-action` to redirects too. */
  formTargets?: readonly string[]
  development?: boolean
}

/** No inline script runs unless it is Next's own. */
export function contentSecurityPolicy(sources: Sources): string {
  const { nonce, hashes = [], https, formTargets = [], development } = sources
  const inlineScripts = [
    ...(nonce ? [`'nonce-${nonce}'`] : []),
    ...hashes.map((hash) => `'${hash}'`),
  ]
  const directives = {
    'default-src': ["'self'"],
    // In development React rebuilds server stacks with eval.
    'script-src': ["'self'", ...inlineScripts, ...(development ? ["'unsafe-eval'"] : [])],
    // In development Next's error overlay has inline styles.
    'style-src': ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(development ? ['ws:'] : [])],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'", ...formTargets],
    'frame-ancestors': ["'none'"],
    ...(https ? { 'upgrade-insecure-requests': [] } : {}),
  }
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ')
}
