/** Auth.js v5's names. With the prefix, no other host can have set it and http cannot read it. */
export function cookieNames(authUrl: string) {
  const prefix = authUrl.startsWith('https:') ? '__Host-' : ''
  return {
    session: `${prefix}authjs.session-token`,
    /** The address that somebody typed at a sign-in that failed, for the form to show again. */
    typedEmail: `${prefix}plinth.typed-email`,
  }
}
