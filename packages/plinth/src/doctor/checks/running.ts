import { cookieNames } from '#auth/sessions/cookie'
import { type Facts, reporter } from '#doctor/facts'
import type { Finding } from '#modules/module'

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

/** An invalid session cookie is cleared, which shows the attributes of the cookie. */
async function checkCookies({ url, settings }: Facts): Promise<Finding[]> {
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

const metricsReport = reporter('metrics')

/** A line that only the metrics of this app have. */
const metricsMark = 'plinth_build_info{'

/** They have no password, so the public URL must not lead to them. */
export async function checkMetrics({ settings, url, published }: Facts): Promise<Finding[]> {
  const { METRICS_PORT, METRICS_HOST } = settings
  const open = await fetchApp(`${url}/metrics`)
  if ('text' in open && open.text.includes(metricsMark)) {
    const remedy = 'Make the proxy lead to PORT only. METRICS_PORT is for Prometheus.'
    return [metricsReport.error(`Anyone can read the metrics at ${url}/metrics.`, remedy)]
  }
  if (METRICS_PORT === undefined) {
    if (!published) return [metricsReport.ok('They are off.')]
    const remedy = 'Set METRICS_PORT, and load deploy/metrics/alert-rules.yaml into Prometheus.'
    return [metricsReport.warning('They are off: no one is alerted when requests fail.', remedy)]
  }
  const host = anyHosts[METRICS_HOST] ?? METRICS_HOST
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${METRICS_PORT}/metrics`
  const own = await fetchApp(address)
  if ('text' in own && own.text.includes(metricsMark)) {
    return [metricsReport.ok(`They are served at ${address}.`)]
  }
  const reason = 'unreachable' in own ? `does not respond (${own.unreachable})` : 'is not this app'
  const remedy = 'Start the server with METRICS_PORT, and run this on the same machine.'
  return [metricsReport.warning(`${address} ${reason}.`, remedy)]
}

/** A server that listens on all interfaces is asked on this machine. */
const anyHosts: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

type AppResponse =
  | {
      status: number
      text: string
      body: unknown
      location: string | undefined
      hsts: string | undefined
      cookies: string[]
    }
  | { unreachable: string; untrusted: boolean }

const timeoutMs = 5_000

/** One request, without redirects. */
async function fetchApp(url: string, headers: Record<string, string> = {}): Promise<AppResponse> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    const text = await response.text()
    return {
      status: response.status,
      text,
      body: parseJson(text),
      location: response.headers.get('location') ?? undefined,
      hsts: response.headers.get('strict-transport-security') ?? undefined,
      cookies: response.headers.getSetCookie(),
    }
  } catch (error) {
    const code = codeOf(error)
    return { unreachable: code, untrusted: /CERT|TLS|SSL|SIGNATURE/.test(code) }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error code of the system: the message of `fetch` has no details. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'timeout'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause ? codeOf(error.cause) : error.message
}
