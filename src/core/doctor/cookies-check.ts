import { cookieNames } from '@/core/auth/cookie-names'
import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'
import { visit } from '@/core/doctor/visit'

const { error, fine } = reporter('running')

/** A session that there is not gets its cookie cleared, which shows how one would be set. */
export async function checkCookies({ url, settings }: Facts): Promise<Finding[]> {
  const names = cookieNames(url)
  const asked = [
    { name: names.csrf, path: '/api/auth/csrf', sameSite: 'lax', headers: {} },
    {
      name: names.session,
      path: '/api/auth/session',
      sameSite: settings.AUTH_COOKIE_SAMESITE,
      headers: { cookie: `${names.session}=none` },
    },
  ]
  const findings = await Promise.all(
    asked.map(async ({ name, path, sameSite, headers }) => {
      const answer = await visit(`${url}${path}`, headers)
      const lines = 'cookies' in answer ? answer.cookies : []
      const faults = faultsOf(lines, { name, sameSite, https: url.startsWith('https:') })
      return faults.map((fault) => error(`The cookie ${name} ${fault}.`, remedy))
    }),
  )
  const all = findings.flat()
  return all.length > 0 ? all : [fine('Cookies are kept from scripts and from other sites.')]
}

const remedy = 'Set AUTH_URL to the address people type, and let the proxy leave cookies alone.'

type Expected = { name: string; sameSite: string; https: boolean }

function faultsOf(lines: readonly string[], { name, sameSite, https }: Expected): string[] {
  const line = lines.find((text) => text.startsWith(`${name}=`))
  if (line === undefined) return ['is not set under that name']
  const [, ...attributes] = line.toLowerCase().split(/;\s*/)
  const wanted: [boolean, string][] = [
    [attributes.includes('httponly'), 'can be read by scripts (no HttpOnly)'],
    [!https || attributes.includes('secure'), 'is sent over http too (no Secure)'],
    [attributes.includes(`samesite=${sameSite}`), `is not SameSite=${sameSite}`],
    [attributes.includes('path=/'), 'is not for the whole site (Path=/)'],
    [!attributes.some((text) => text.startsWith('domain=')), 'is for other hosts too (Domain)'],
  ]
  return wanted.filter(([right]) => !right).map(([, fault]) => fault)
}
