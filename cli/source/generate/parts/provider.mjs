export function openIdSource({ id, name, home, settings }) {
  return `import { z } from 'zod'
import type { InstalledProvider } from 'plinth/auth/oauth/provider'

export const provider: InstalledProvider = {
  id: '${id}',
  name: '${name}',
  type: 'oidc',
  ${settingsSource(settings)},
  home: '${home}',
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
`
}

export function oauthSource({ id, name, home, settings }) {
  return `import { z } from 'zod'
import type { InstalledProvider } from 'plinth/auth/oauth/provider'

export const provider: InstalledProvider = {
  id: '${id}',
  name: '${name}',
  type: 'oauth',
  ${settingsSource(settings)},
  home: '${home}',
  /** The development provider and the tests have the same paths below \`url\`. */
  endpoints(url = '${home}') {
    const base = url.replace(/\\/+$/, '')
    const pages = \`\${base}/login/oauth\`
    return {
      issuer: pages,
      authorization: \`\${pages}/authorize\`,
      scope: 'read:user user:email',
      token: \`\${pages}/access_token\`,
      userinfo: \`\${base}/api/v3/user\`,
    }
  },
  /** Only an email that the provider has verified is used. */
  async profile(fetchJson, userinfo) {
    const [account, list] = await Promise.all([
      fetchJson(userinfo),
      fetchJson(\`\${userinfo}/emails\`),
    ])
    const { id, login, name } = user.parse(account)
    const email = emails.parse(list).find(({ primary, verified }) => primary && verified)
    return { id: String(id), name: name ?? login, email: email?.email ?? null }
  },
  /** \`npm run dev\` and the tests respond with this instead of the provider. */
  sampleUserinfo: ({ id, login, name, email, verified }) => ({
    '': { id: Number(id), login, name },
    '/emails': [{ email, primary: true, verified }],
  }),
}

const user = z.object({ id: z.number(), login: z.string(), name: z.string().nullish() })

const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
`
}

function settingsSource({ clientId, clientSecret, url }) {
  return `settings: {
    clientId: '${clientId}',
    clientSecret: '${clientSecret}',
    url: '${url}',
  }`
}

/** The paragraph of .env.example. */
export function settingsText({ name, isOAuth, settings }) {
  const other = isOAuth
    ? '# Set the URL for another server with the same endpoints.'
    : '# Set the issuer for another OpenID Connect server.'
  return [
    `# Sign-in with ${name} requires the id and the secret.`,
    other,
    ...Object.values(settings).map((setting) => `# ${setting}=`),
  ].join('\n')
}
