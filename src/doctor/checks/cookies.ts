import { cookieNames } from '@/core/auth/sessions/cookie'
import type { Facts } from '@/doctor/facts'
import { fetchApp } from '@/doctor/fetch-app'
import { type Finding, reporter } from '@/doctor/finding'

const { error, ok } = reporter('running')

/** An invalid session cookie is cleared, which shows the attributes of the cookie. */
export async function checkCookies({ url, settings }: Facts): Promise<Finding[]> {
  const names = cookieNames(url)
  const requests = [
    { name: names.csrf, path: '/api/auth/csrf', sameSite: 'lax', headers: {} },
    {
      name: names.session,
      path: '/api/auth/session',
      sameSite: settings.AUTH_COOKIE_SAMESITE,
      headers: { cookie: `${names.session}=none` },
    },
  ]
  const findings = await Promise.all(
    requests.map(async ({ name, path, sameSite, headers }) => {
      const response = await fetchApp(`${url}${path}`, headers)
      const lines = 'cookies' in response ? response.cookies : []
      const faults = cookieFaults(lines, { name, sameSite, https: url.startsWith('https:') })
      return faults.map((fault) => error(`The cookie ${name} ${fault}.`, remedy))
    }),
  )
  const all = findings.flat()
  return all.length > 0 ? all : [ok('Cookies are protected from scripts and other sites.')]
}

const remedy = 'Set AUTH_URL to the public URL, and make the proxy pass cookies unchanged.'

type Expected = { name: string; sameSite: string; https: boolean }

function cookieFaults(lines: readonly string[], { name, sameSite, https }: Expected): string[] {
  const line = lines.find((text) => text.startsWith(`${name}=`))
  if (line === undefined) return ['is not set']
  const [, ...attributes] = line.toLowerCase().split(/;\s*/)
  const checks: [boolean, string][] = [
    [attributes.includes('httponly'), 'can be read by scripts (no HttpOnly)'],
    [!https || attributes.includes('secure'), 'is also sent over http (no Secure)'],
    [attributes.includes(`samesite=${sameSite}`), `is not SameSite=${sameSite}`],
    [attributes.includes('path=/'), 'does not apply to the whole site (Path=/)'],
    [!attributes.some((text) => text.startsWith('domain=')), 'applies to other hosts (Domain)'],
  ]
  return checks.filter(([passed]) => !passed).map(([, fault]) => fault)
}
