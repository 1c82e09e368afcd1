import type { InstalledProvider } from 'plinth/auth/oauth/provider'
import { z } from 'zod'

export const provider: InstalledProvider = {
  id: 'google',
  name: 'Google',
  type: 'oidc',
  settings: {
    clientId: 'AUTH_GOOGLE_ID',
    clientSecret: 'AUTH_GOOGLE_SECRET',
    url: 'AUTH_GOOGLE_ISSUER',
  },
  home: 'https://accounts.google.com',
  profile(idToken) {
    const { sub, name, email, email_verified } = claims.parse(idToken)
    return { id: sub, name, email: email_verified ? email : null }
  },
}

const claims = z.object({
  sub: z.string(),
  name: z.string().nullable().catch(null),
  email: z.string().nullable().default(null),
  email_verified: z.boolean().catch(false),
})
