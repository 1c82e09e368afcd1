import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'
import { firstSafeNext, nodeLines, recommendedNode } from '@/core/doctor/safe-versions'

const { error, warning, fine } = reporter('versions')

export function checkVersions({ folder, exposed }: Pick<Facts, 'folder' | 'exposed'>): Finding[] {
  const installed = createRequire(join(folder, 'package.json'))
  const { version } = installed('next/package.json')
  return [
    ...checkNode(process.versions.node, new Date(), exposed),
    ...checkNext(String(version), exposed),
  ]
}

export function checkNode(version: string, today: Date, exposed: boolean): Finding[] {
  const line = nodeLines.find(({ major }) => major === Number.parseInt(version, 10))
  const advice = `Take Node ${recommendedNode} in its newest release (https://nodejs.org).`
  if (!line) {
    const isNewer = Number.parseInt(version, 10) > (nodeLines.at(-1)?.major ?? 0)
    return [
      isNewer
        ? fine(`Node ${version} is newer than what is known here.`)
        : warning(`Node ${version} is out of support: its holes stay open.`, advice),
    ]
  }
  const findings: Finding[] = []
  if (isOlder(version, line.safe)) {
    const update = `Take Node ${line.safe} or later (https://nodejs.org).`
    findings.push((exposed ? error : warning)(`Node ${version} has known holes.`, update))
  }
  if (today >= new Date(line.until)) {
    const what = `Node ${version} is out of support since ${line.until}: new holes stay open.`
    findings.push(warning(what, advice))
  }
  return findings.length > 0 ? findings : [fine(`Node ${version}.`)]
}

export function checkNext(version: string, exposed: boolean): Finding[] {
  if (!isOlder(version, firstSafeNext)) return [fine(`Next ${version}.`)]
  const update = `npm install --save-exact next@${firstSafeNext} @next/env@${firstSafeNext}`
  return [(exposed ? error : warning)(`Next ${version} has known holes.`, update)]
}

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('-', 1)[0]?.split('.').map(Number))
  for (let at = 0; at < 3; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
