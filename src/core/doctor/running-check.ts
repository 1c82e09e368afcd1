import { checkCookies } from '@/core/doctor/cookies-check'
import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'
import { isRecord, visit } from '@/core/doctor/visit'

const { error, warning, fine } = reporter('running')

/** What the world gets to see of it, at the address that people use. */
export async function checkRunning(facts: Facts): Promise<Finding[]> {
  const { url } = facts
  const health = await visit(`${url}/api/health`)
  if ('unreachable' in health) {
    if (health.untrusted) {
      const renew = 'Renew it, or name it right: browsers refuse it too.'
      return [error(`The certificate of ${url} is not good (${health.unreachable}).`, renew)]
    }
    return [
      warning(
        `Nothing answers at ${url} (${health.unreachable}), so it was not asked.`,
        'Start it, or say where it is with --url, and run this again.',
      ),
    ]
  }
  const { location } = health
  if (location && new URL(location, url).origin !== new URL(url).origin) {
    const { origin } = new URL(location, url)
    return [error(`${url} sends people on to ${origin}.`, `Set AUTH_URL to ${origin}.`)]
  }
  if (isRecord(health.body) && health.body.code === 'unhealthy') {
    const look = 'See what the database check says, and the log of the server.'
    return [error(`${url} runs, but its database does not answer it.`, look)]
  }
  if (health.status !== 200 || !isRecord(health.body) || health.body.status !== 'ok') {
    return [stranger(facts)]
  }
  return [
    ...(await checkOrigin(facts)),
    ...(await checkCookies(facts)),
    ...checkHsts(facts, health),
  ]
}

/** It must know itself by the name that people have for it: cookies and links follow that. */
async function checkOrigin(facts: Facts): Promise<Finding[]> {
  const { url } = facts
  const answer = await visit(`${url}/api/auth/providers`)
  const known = 'body' in answer && isRecord(answer.body) ? answer.body.credentials : undefined
  const callback = isRecord(known) ? known.callbackUrl : undefined
  if (typeof callback !== 'string' || !URL.canParse(callback)) return [stranger(facts)]
  const { origin } = new URL(callback)
  if (origin === new URL(url).origin) return [fine(`${url} is this application.`)]
  return [
    error(
      `The installation at ${url} takes itself for ${origin}.`,
      `Set AUTH_URL to ${new URL(url).origin} where it runs, or ask it at ${origin}.`,
    ),
  ]
}

function checkHsts({ url }: Facts, { hsts }: { hsts: string | undefined }): Finding[] {
  if (!url.startsWith('https:')) return []
  const seconds = Number(/max-age=(\d+)/.exec(hsts ?? '')?.[1] ?? 0)
  if (seconds >= halfAYear) return [fine('Browsers are told to come by https alone.')]
  return [
    warning(
      `Browsers are ${seconds > 0 ? 'hardly' : 'not'} told to come by https alone.`,
      'See that the proxy passes Strict-Transport-Security on as it is.',
    ),
  ]
}

const halfAYear = 180 * 24 * 60 * 60

function stranger({ url }: Facts): Finding {
  return error(
    `Something else answers at ${url}.`,
    'See where that address leads, and which PORT this application is on.',
  )
}
