import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ownedFiles } from '../../../bench/owned-files.mjs'
import { findMissing } from '../../../packages/plinth/tests/support/named-in-document'
import { createApp } from '../../cli/support/app'
import { sharePackages } from '../../cli/support/link-packages'
import { exists, snapshot } from '../../cli/support/run'

test('AGENTS.md is true for an app without modules', () => {
  const { app } = createApp('none')
  expect(findMissing(app, 'AGENTS.md')).toEqual([])
})

test.each(['none', 'landing,account,admin,content,security'])(
  '%s: all relative links of the documents exist',
  (modules) => {
    const { app } = createApp(modules)
    sharePackages(app)
    const documents = Object.keys(snapshot(app)).filter((path) => path.endsWith('.md'))
    expect(documents.length).toBeGreaterThan(2)
    const links = documents.flatMap((path) =>
      linksOf(join(app, path)).map((link) => ({ path, link })),
    )
    expect(links.length).toBeGreaterThan(10)
    const isDead = ({ path, link }: { path: string; link: string }) =>
      !existsSync(join(app, dirname(path), link))
    expect(links.filter(isDead)).toEqual([])
  },
)

function linksOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^(https?|mailto):/.test(link))
}

test('an app owns little, and nothing that only the template needs', () => {
  const { app } = createApp('none')
  const owned = ownedFiles(app)
  expect(owned.length).toBeLessThanOrEqual(151)
  expect(sum(owned.map(({ lines }) => lines))).toBeLessThanOrEqual(12_500)
  for (const absent of ['packages', 'tests/docs', 'tests/scripts', '.ci', 'docs']) {
    expect([absent, exists(app, absent)]).toEqual([absent, false])
  }
})

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
