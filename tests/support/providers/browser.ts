import type { newClient } from '../client'

type Client = ReturnType<typeof newClient>

const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }

/** From the button on the sign-in page to the provider's door. */
export async function leave(
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

/** Goes where the provider leads, keeping its cookies, until it leads back to the product. */
export async function visitProvider(door: URL): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = door
  for (let step = 0; step < 10; step += 1) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${at} answered ${response.status}: ${await response.text()}`)
    at = new URL(location, at)
    if (at.pathname.startsWith('/api/auth/callback/')) return at
  }
  throw new Error(`${door} leads nowhere.`)
}

export function comeBack(client: Client, back: URL): Promise<Response> {
  return client.send(`${back.pathname}${back.search}`, { headers: { accept: 'text/html' } })
}

/** All the way; where it ends. */
export async function signInWith(
  client: Client,
  provider: string,
  fields?: Record<string, string>,
): Promise<Response> {
  return comeBack(client, await visitProvider(await leave(client, provider, fields)))
}
