import { createRequire } from 'node:module'
import { join } from 'node:path'
import { explainMissingSteps } from '#auth/sessions/steps'
import { explainMisspelled } from '#config/misspelled-settings'
import { isLoopback } from '#config/setting-types'
import { type Facts, reporter } from '#doctor/facts'
import type { Finding } from '#modules/module'

const { error, warning, ok } = reporter('settings')

export function checkSettings(
  { errors, misspelled, settings }: Pick<Facts, 'errors' | 'misspelled' | 'settings'>,
  modules: Parameters<typeof explainMissingSteps>[1],
): Finding[] {
  const others = errors.filter(({ name }) => !name.startsWith('AUTH_SECRET'))
  const missing = explainMissingSteps(settings, modules)
  const unknown = misspelled.filter(({ name }) => !errors.some((error) => error.name === name))
  if (others.length === 0 && !missing && unknown.length === 0) {
    return [ok('All settings are valid.')]
  }
  return [
    ...others.map(({ name, message }) =>
      error(`${name} ${message}.`, 'Correct it. The server does not start until then.'),
    ),
    ...(missing ? [error(missing.problem, missing.remedy)] : []),
    ...unknown.map((setting) =>
      warning(explainMisspelled(setting), 'Correct the name, or remove it if nothing reads it.'),
    ),
  ]
}

const urlReport = reporter('url')

export function checkUrl({ settings, hasUrl, published }: Facts): Finding[] {
  const { AUTH_URL, embedded, TRUST_PROXY } = settings
  if (!hasUrl && !embedded) {
    return [
      urlReport.error(
        `AUTH_URL is not set, so links in mail lead to ${AUTH_URL}.`,
        'Set it to the public URL, such as https://app.example.com.',
      ),
    ]
  }
  const https = AUTH_URL.startsWith('https:')
  if (published && !https) {
    return [
      urlReport.error(
        `${AUTH_URL} is not https, so passwords and cookies are sent in clear text.`,
        'Put an https proxy in front, and set AUTH_URL to its URL.',
      ),
    ]
  }
  // The process speaks http only, so a proxy must terminate https.
  if (https && TRUST_PROXY === 0) {
    return [
      urlReport.ok(`The public URL is ${AUTH_URL}.`),
      urlReport.warning(
        'TRUST_PROXY is not set, so all users share the IP of the https proxy.',
        'Set TRUST_PROXY to the number of proxies. Otherwise one user can rate-limit all others.',
      ),
    ]
  }
  return [urlReport.ok(`The public URL is ${AUTH_URL}.`)]
}

const corsReport = reporter('cors')

const manyOrigins = 10

/** Each origin acts with the session of its visitors. */
export function checkCors({ settings, published }: Facts): Finding[] {
  const { CORS_ORIGINS, AUTH_COOKIE_SAMESITE } = settings
  if (CORS_ORIGINS.length === 0) return [corsReport.ok('No other origin can use the API.')]
  const local = CORS_ORIGINS.filter((origin) => isLoopback(new URL(origin).hostname))
  const insecure = CORS_ORIGINS.filter(
    (origin) => origin.startsWith('http:') && !local.includes(origin),
  )
  const findings: Finding[] = []
  if (insecure.length > 0) {
    findings.push(
      corsReport.error(
        `CORS_ORIGINS contains ${insecure.join(', ')}: anyone on the network can impersonate it.`,
        'Serve it over https, or remove it.',
      ),
    )
  }
  if (published && local.length > 0) {
    findings.push(
      corsReport.error(
        `CORS_ORIGINS contains ${local.join(', ')}: any program on a user's machine can impersonate it.`,
        'Remove it here, and use a separate installation for development.',
      ),
    )
  }
  if (AUTH_COOKIE_SAMESITE === 'none') {
    findings.push(
      corsReport.warning(
        'AUTH_COOKIE_SAMESITE=none sends the session cookie with requests from every site.',
        'Serve the other origins on the same site instead (app.example.com, api.example.com).',
      ),
    )
  }
  if (CORS_ORIGINS.length > manyOrigins) {
    findings.push(
      corsReport.warning(
        `CORS_ORIGINS contains ${CORS_ORIGINS.length} origins. A vulnerability in one affects this app.`,
        'Remove those that are not used.',
      ),
    )
  }
  return findings.length > 0 ? findings : [corsReport.ok(`Allowed: ${CORS_ORIGINS.join(', ')}.`)]
}

const versionsReport = reporter('versions')

export function checkVersions({ folder, exposed }: Pick<Facts, 'folder' | 'exposed'>): Finding[] {
  const installed = createRequire(join(folder, 'package.json'))
  const { version } = installed('next/package.json')
  return [
    ...checkNode(process.versions.node, new Date(), exposed),
    ...checkNext(String(version), exposed),
  ]
}

export function checkNode(version: string, today: Date, exposed: boolean): Finding[] {
  const release = nodeReleases.find(({ major }) => major === Number.parseInt(version, 10))
  const advice = `Use the latest Node ${recommendedNode} (https://nodejs.org).`
  if (!release) {
    const isNewer = Number.parseInt(version, 10) > (nodeReleases.at(-1)?.major ?? 0)
    return [
      isNewer
        ? versionsReport.ok(`Node ${version} is newer than this check.`)
        : versionsReport.warning(
            `Node ${version} is out of support and gets no security fixes.`,
            advice,
          ),
    ]
  }
  const findings: Finding[] = []
  if (isOlder(version, release.safe)) {
    const update = `Use Node ${release.safe} or later (https://nodejs.org).`
    findings.push(
      (exposed ? versionsReport.error : versionsReport.warning)(
        `Node ${version} has known vulnerabilities.`,
        update,
      ),
    )
  }
  if (today >= new Date(release.endOfLife)) {
    const message = `Node ${version} is out of support since ${release.endOfLife} and gets no security fixes.`
    findings.push(versionsReport.warning(message, advice))
  }
  return findings.length > 0 ? findings : [versionsReport.ok(`Node ${version}.`)]
}

export function checkNext(version: string, exposed: boolean): Finding[] {
  if (!isOlder(version, firstSafeNext)) return [versionsReport.ok(`Next ${version}.`)]
  const update = `npm install --save-exact next@${firstSafeNext} @next/env@${firstSafeNext}`
  return [
    (exposed ? versionsReport.error : versionsReport.warning)(
      `Next ${version} has known vulnerabilities.`,
      update,
    ),
  ]
}

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('-', 1)[0]?.split('.').map(Number))
  for (let at = 0; at < 3; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

/**
 * As of 15 November 2026: for each Node release line the first version without a published
 * vulnerability (https://nodejs.org/en/blog/vulnerability) and its end of life.
 */
export const nodeReleases = [
  { major: 20, safe: '20.20.2', endOfLife: '2026-04-30' },
  { major: 22, safe: '22.23.4', endOfLife: '2027-04-30' },
  { major: 24, safe: '24.22.1', endOfLife: '2028-04-30' },
  { major: 26, safe: '26.12.1', endOfLife: '2029-04-30' },
]

export const recommendedNode = 24

/** See https://github.com/vercel/next.js/security/advisories. */
const firstSafeNext = '16.4.6'
