import type { newClient } from '../client'

type Client = ReturnType<typeof newClient>

const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }

/** Submits the form of the sign-in page and returns the provider's authorization URL. */
export async function startOAuth(
  client: Client,
  provider: string,
  fields: Record<string, string> = {},
): Promise<URL> {
  const response = await client.send(`/api/auth/signin/${provider}`, {
    method: 'POST',
    headers: form,
    body: new URLSearchParams(fields).toString(),
  })
  if (response.status !== 303) throw new Error(`${response.status}: ${await response.text()}`)
  return new URL(response.headers.get('location') ?? '')
}

/** Follows the redirects of the provider, with its cookies, and returns the callback URL. */
export async function authorizeAtProvider(authorizationUrl: URL): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = authorizationUrl
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${url} returned ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.pathname.startsWith('/api/auth/callback/')) return url
  }
  throw new Error(`${authorizationUrl} never redirected to the callback.`)
}

export function followCallback(client: Client, callback: URL): Promise<Response> {
  return client.send(`${callback.pathname}${callback.search}`, { headers: { accept: 'text/html' } })
}

/** The whole flow; returns the response of the callback. */
export async function signInWith(
  client: Client,
  provider: string,
  fields?: Record<string, string>,
): Promise<Response> {
  return followCallback(
    client,
    await authorizeAtProvider(await startOAuth(client, provider, fields)),
  )
}
