/** Auth.js v5's names. With the prefix, no other host can have set it and http cannot read it. */
export function cookieNames(authUrl: string) {
  const prefix = prefixOf(authUrl)
  return {
    session: `${prefix}authjs.session-token`,
    csrf: `${prefix}authjs.csrf-token`,
    /** The address that somebody typed at a sign-in that failed, for the form to show again. */
    typedEmail: `${prefix}plinth.typed-email`,
  }
}

/** What a browser carries to a provider and back. Each provider's are worthless to another. */
export function journeyCookieNames(authUrl: string, provider: string) {
  const prefix = prefixOf(authUrl)
  return {
    state: `${prefix}authjs.state.${provider}`,
    verifier: `${prefix}authjs.pkce.code_verifier.${provider}`,
    journey: `${prefix}plinth.journey.${provider}`,
  }
}

function prefixOf(authUrl: string): string {
  return authUrl.startsWith('https:') ? '__Host-' : ''
}
