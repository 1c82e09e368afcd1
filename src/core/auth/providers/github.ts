import { z } from 'zod'
import type { InstalledProvider } from '@/core/auth/providers/provider'

export const provider: InstalledProvider = {
  id: 'github',
  name: 'GitHub',
  type: 'oauth',
  settings: {
    clientId: 'AUTH_GITHUB_ID',
    clientSecret: 'AUTH_GITHUB_SECRET',
    url: 'AUTH_GITHUB_URL',
  },
  home: 'https://github.com',
  endpoints(url) {
    const base = url?.replace(/\/+$/, '')
    const pages = `${base ?? 'https://github.com'}/login/oauth`
    return {
      issuer: pages,
      authorization: `${pages}/authorize`,
      scope: 'read:user user:email',
      token: `${pages}/access_token`,
      userinfo: base ? `${base}/api/v3/user` : 'https://api.github.com/user',
    }
  },
  /**
   * The address on a profile is whatever its owner likes to show, so it is never taken: only the one
   * that GitHub uses itself and has verified.
   */
  async person(ask, userinfo) {
    const [profile, addresses] = await Promise.all([ask(userinfo), ask(`${userinfo}/emails`)])
    const { id, login, name } = user.parse(profile)
    const own = emails.parse(addresses).find(({ primary, verified }) => primary && verified)
    return { id: String(id), name: name ?? login, email: own?.email ?? null }
  },
}

const user = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() })

const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
