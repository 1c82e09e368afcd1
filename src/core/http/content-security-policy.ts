type Sources = {
  /** For a page rendered now: Next puts it on every script of its own. */
  nonce?: string
  /** For pages rendered at build time, whose inline scripts are known. */
  hashes?: readonly string[]
  https: boolean
  /** Origins that a form of ours leads to in the end: browsers follow the redirect with this rule. */
  formTargets?: readonly string[]
  development?: boolean
}

/** What a page may load and run. Enforced; no inline script runs unless it is Next's own. */
export function contentSecurityPolicy(sources: Sources): string {
  const { nonce, hashes = [], https, formTargets = [], development } = sources
  const known = [...(nonce ? [`'nonce-${nonce}'`] : []), ...hashes.map((hash) => `'${hash}'`)]
  const directives = {
    'default-src': ["'self'"],
    // React rebuilds server stacks with eval while developing, and only then.
    'script-src': ["'self'", ...known, ...(development ? ["'unsafe-eval'"] : [])],
    // Next shows faults while developing in an overlay that brings its own style elements.
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
