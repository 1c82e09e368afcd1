import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Facts, type Finding, reporter } from '@/doctor/facts'

const { error, warning, ok } = reporter('versions')

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
        ? ok(`Node ${version} is newer than this check.`)
        : warning(`Node ${version} is out of support and gets no security fixes.`, advice),
    ]
  }
  const findings: Finding[] = []
  if (isOlder(version, release.safe)) {
    const update = `Use Node ${release.safe} or later (https://nodejs.org).`
    findings.push((exposed ? error : warning)(`Node ${version} has known vulnerabilities.`, update))
  }
  if (today >= new Date(release.endOfLife)) {
    const message = `Node ${version} is out of support since ${release.endOfLife} and gets no security fixes.`
    findings.push(warning(message, advice))
  }
  return findings.length > 0 ? findings : [ok(`Node ${version}.`)]
}

export function checkNext(version: string, exposed: boolean): Finding[] {
  if (!isOlder(version, firstSafeNext)) return [ok(`Next ${version}.`)]
  const update = `npm install --save-exact next@${firstSafeNext} @next/env@${firstSafeNext}`
  return [(exposed ? error : warning)(`Next ${version} has known vulnerabilities.`, update)]
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
