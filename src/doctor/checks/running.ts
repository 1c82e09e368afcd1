import { checkCookies } from '@/doctor/checks/cookies'
import type { Facts } from '@/doctor/facts'
import { fetchApp, isRecord } from '@/doctor/fetch-app'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('running')

/** Checks the running app at its public URL. */
export async function checkRunning(facts: Facts): Promise<Finding[]> {
  const { url } = facts
  const health = await fetchApp(`${url}/api/health`)
  if ('unreachable' in health) {
    if (health.untrusted) {
      const remedy = 'Renew it, or use the right host name. Browsers reject it too.'
      return [error(`The certificate of ${url} is invalid (${health.unreachable}).`, remedy)]
    }
    return [
      warning(
        `${url} does not respond (${health.unreachable}), so it was not checked.`,
        'Start the server, or pass its URL with --url, and run this again.',
      ),
    ]
  }
  const { location } = health
  if (location && new URL(location, url).origin !== new URL(url).origin) {
    const { origin } = new URL(location, url)
    return [error(`${url} redirects to ${origin}.`, `Set AUTH_URL to ${origin}.`)]
  }
  if (isRecord(health.body) && health.body.code === 'unhealthy') {
    const remedy = 'See the database check, and the log of the server.'
    return [error(`${url} responds, but its database is unavailable.`, remedy)]
  }
  if (health.status !== 200 || !isRecord(health.body) || health.body.status !== 'ok') {
    return [notThisApp(facts)]
  }
  return [
    ...(await checkOrigin(facts)),
    ...(await checkCookies(facts)),
    ...checkHsts(facts, health),
  ]
}

/** Cookies and links follow the app’s AUTH_URL, so it must match the public URL. */
async function checkOrigin(facts: Facts): Promise<Finding[]> {
  const { url } = facts
  const response = await fetchApp(`${url}/api/auth/providers`)
  const provider =
    'body' in response && isRecord(response.body) ? response.body.credentials : undefined
  const callback = isRecord(provider) ? provider.callbackUrl : undefined
  if (typeof callback !== 'string' || !URL.canParse(callback)) return [notThisApp(facts)]
  const { origin } = new URL(callback)
  if (origin === new URL(url).origin) return [ok(`${url} runs this app.`)]
  return [
    error(
      `The app at ${url} has AUTH_URL=${origin}.`,
      `Set its AUTH_URL to ${new URL(url).origin}, or check it at ${origin}.`,
    ),
  ]
}

function checkHsts({ url }: Facts, { hsts }: { hsts: string | undefined }): Finding[] {
  if (!url.startsWith('https:')) return []
  const seconds = Number(/max-age=(\d+)/.exec(hsts ?? '')?.[1] ?? 0)
  if (seconds >= minHstsSeconds) return [ok('HSTS is on: browsers use https only.')]
  return [
    warning(
      `HSTS is ${seconds > 0 ? 'shorter than 180 days' : 'off'}.`,
      'Make the proxy pass Strict-Transport-Security unchanged.',
    ),
  ]
}

const minHstsSeconds = 180 * 24 * 60 * 60

function notThisApp({ url }: Facts): Finding {
  return error(
    `${url} responds, but it is not this app.`,
    'Check DNS and the proxy, and the PORT of this app.',
  )
}
