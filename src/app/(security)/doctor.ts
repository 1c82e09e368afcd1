import { isIP } from 'node:net'
import type { DoctorFacts, Finding } from 'plinth/modules/module'
import { countAppsByKey } from './data/factors/authenticator-app'
import { keyIdOf } from './data/factors/encryption'
import { countPasskeysElsewhere } from './data/factors/passkeys'

const check = 'security'

export async function checkSecurity(facts: DoctorFacts): Promise<Finding[]> {
  return [
    checkSite(facts.settings.AUTH_URL),
    ...(await checkPasskeys(facts)),
    ...(await checkKeys(facts)),
  ]
}

/** Browsers offer passkeys only to a secure site with a name. */
function checkSite(url: string): Finding {
  const { hostname, protocol } = new URL(url)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) {
    return {
      level: 'warning',
      check,
      message: 'AUTH_URL has an IP address, so browsers refuse passkeys.',
      remedy: 'Use a host name in AUTH_URL.',
    }
  }
  if (protocol !== 'https:' && !/(^|\.)localhost$/.test(hostname)) {
    return {
      level: 'warning',
      check,
      message: 'AUTH_URL is not https, so browsers refuse passkeys.',
      remedy: 'Put an https proxy in front, and set AUTH_URL to its URL.',
    }
  }
  return { level: 'ok', check, message: `Passkeys are for ${hostname}.` }
}

async function checkPasskeys({ settings, database }: DoctorFacts): Promise<Finding[]> {
  const { hostname } = new URL(settings.AUTH_URL)
  const count = database ? await countPasskeysElsewhere(database, hostname) : 0
  if (count === 0) return []
  return [
    {
      level: 'warning',
      check,
      message: `${count === 1 ? 'One passkey is' : `${count} passkeys are`} for another host than ${hostname} and cannot be used.`,
      remedy:
        'If AUTH_URL is wrong, correct it. Otherwise these users sign in another way, and add a passkey here.',
    },
  ]
}

/** Whether the secrets of authenticator apps can be read, and what a rotation still has to do. */
async function checkKeys({ authSecrets, database }: DoctorFacts): Promise<Finding[]> {
  const [current, ...previous] = authSecrets.map(keyIdOf)
  if (current === undefined || !database) return []
  const counts = await countAppsByKey(database)
  const sum = (isCounted: (keyId: string) => boolean) =>
    counts.reduce((total, { keyId, count }) => total + (isCounted(keyId) ? count : 0), 0)
  const lost = sum((keyId) => keyId !== current && !previous.includes(keyId))
  const old = sum((keyId) => previous.includes(keyId))
  const findings: Finding[] = []
  if (lost > 0) {
    findings.push({
      level: 'error',
      check,
      message: `${appsOf(lost)} encrypted with neither AUTH_SECRET nor AUTH_SECRET_PREVIOUS, so all codes are refused.`,
      remedy:
        'Set AUTH_SECRET_PREVIOUS to the secret of before. If it is lost, reset the second factors of these users.',
    })
  }
  if (old > 0) {
    findings.push({
      level: 'warning',
      check,
      message: `${appsOf(old)} encrypted with AUTH_SECRET_PREVIOUS.`,
      remedy:
        'Do not remove it yet. A running server encrypts them again within ten minutes; then run this again.',
    })
  }
  if (findings.length > 0) return findings
  return [{ level: 'ok', check, message: 'All authenticator apps are encrypted with AUTH_SECRET.' }]
}

function appsOf(count: number): string {
  return count === 1 ? 'One authenticator app is' : `${count} authenticator apps are`
}
