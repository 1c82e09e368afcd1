import { z } from 'zod'
import type { InstalledProvider } from '#auth/oauth/provider'
import type { OpenIdProvider } from '#config/app-config'

/** OpenID Connect: endpoints are discovered, and the claims have the same names everywhere. */
export function openIdProvider({ id, name, issuer }: OpenIdProvider): InstalledProvider {
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  return {
    id,
    name,
    type: 'oidc',
    settings: {
      clientId: `${prefix}_ID`,
      clientSecret: `${prefix}_SECRET`,
      url: `${prefix}_ISSUER`,
    },
    home: issuer,
    profile(idToken) {
      const { sub, name, email, email_verified } = claims.parse(idToken)
      return { id: sub, name, email: email_verified ? email : null }
    },
  }
}

const claims = z.object({
  sub: z.string(),
  name: z.string().nullable().catch(null),
  email: z.string().nullable().default(null),
  email_verified: z.boolean().catch(false),
})
