import { parseEnv } from 'plinth/config/env'
import { expect, test } from 'vitest'
import { checkSecurity } from '../doctor'

async function check(AUTH_URL: string) {
  const settings = parseEnv({ AUTH_URL })
  const [finding] = await checkSecurity({ settings, authSecrets: [], database: undefined })
  return `${finding?.level}: ${finding?.message}`
}

test.each(['https://app.example.com', 'http://localhost:3000', 'http://app.localhost'])(
  'passkeys work at %s',
  async (url) => {
    expect(await check(url)).toBe(`ok: Passkeys are for ${new URL(url).hostname}.`)
  },
)

test.each(['https://192.0.2.1', 'http://127.0.0.1:3000', 'https://[2001:db8::1]', 'http://[::1]'])(
  'warns that browsers refuse passkeys at %s',
  async (url) => {
    expect(await check(url)).toBe(
      'warning: AUTH_URL has an IP address, so browsers refuse passkeys.',
    )
  },
)

test.each(['http://app.example.com', 'http://notlocalhost'])(
  'warns that passkeys need https at %s',
  async (url) => {
    expect(await check(url)).toBe('warning: AUTH_URL is not https, so browsers refuse passkeys.')
  },
)
