import type { InstalledProvider } from '#auth/oauth/provider'
import type { OAuthProvider } from '#config/app-config'

/** Plain OAuth, whose user is described by the names of fields. */
export function oauthProvider(described: OAuthProvider): InstalledProvider {
  const { id, name, url: home, scope, profile: fields } = described
  const prefix = `AUTH_${id.toUpperCase().replaceAll('-', '_')}`
  return {
    id,
    name,
    type: 'oauth',
    settings: { clientId: `${prefix}_ID`, clientSecret: `${prefix}_SECRET`, url: `${prefix}_URL` },
    home,
    endpoints(url = home) {
      const base = url.replace(/\/+$/, '')
      return {
        issuer: base,
        authorization: base + described.authorization,
        scope,
        token: base + described.token,
        userinfo: base + described.userinfo,
      }
    },
    async profile(fetchJson, userinfo) {
      const user = record(await fetchJson(userinfo))
      const found = user[fields.id]
      if (typeof found !== 'string' && typeof found !== 'number') {
        throw new TypeError(`${name} sent no ${fields.id}.`)
      }
      // Only an email that the provider has verified is used.
      const email = user[fields.verified] === true ? textOf(user[fields.email]) : null
      const names = fields.name.flatMap((field) => textOf(user[field]) ?? [])
      return { id: String(found), name: names[0] ?? null, email }
    },
    sampleUserinfo: ({ id, login, name, email, verified }) => ({
      '': {
        ...Object.fromEntries(fields.name.map((field) => [field, login])),
        ...(fields.name[0] ? { [fields.name[0]]: name } : {}),
        [fields.id]: id,
        [fields.email]: email,
        [fields.verified]: verified,
      },
    }),
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
