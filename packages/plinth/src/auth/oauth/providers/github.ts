import { z } from 'zod'
import type { InstalledProvider } from '#auth/oauth/provider'

export const github: InstalledProvider = {
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
  /** The email on a public profile can be anything. Only the primary, verified one is used. */
  async profile(fetchJson, userinfo) {
    const [account, list] = await Promise.all([
      fetchJson(userinfo),
      fetchJson(`${userinfo}/emails`),
    ])
    const { id, login, name } = user.parse(account)
    const email = emails.parse(list).find(({ primary, verified }) => primary && verified)
    return { id: String(id), name: name ?? login, email: email?.email ?? null }
  },
  sampleUserinfo: ({ id, login, name, email, verified, publicEmail = null }) => ({
    '': { id: Number(id), login, name, email: publicEmail },
    '/emails': [
      { email: 'second@example.com', primary: false, verified: true },
      { email, primary: true, verified },
    ],
  }),
}

const user = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() })

const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
