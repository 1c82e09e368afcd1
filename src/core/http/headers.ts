function securityHeaders(authUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(authUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** API responses are data: nothing in them may run or be framed. They are private unless a route overrides it. */
export function apiHeaders(authUrl: string): Record<string, string> {
  return {
    ...securityHeaders(authUrl),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
  }
}

/** URLs of pages may contain a token, so only the origin is sent as the referrer. */
export function pageHeaders(authUrl: string): Record<string, string> {
  return {
    ...securityHeaders(authUrl),
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  }
}
