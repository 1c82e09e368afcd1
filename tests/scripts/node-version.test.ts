import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { complaintAbout, isOlder, oldestNode } from '../../scripts/node-version.mjs'
import { repository } from './support/project'

test.each(['20.8.1', '18.20.4', '12.22.12', '9.11.2', '20.8.99'])('%s is too old', (version) => {
  expect(isOlder(version, oldestNode)).toBe(true)
})

test.each(['20.9.0', '20.10.0', '20.20.2', '22.0.0', '24.22.0', '100.0.0', '24.0.0-nightly2'])(
  '%s is new enough',
  (version) => {
    expect(complaintAbout(`v${version}`)).toBeUndefined()
  },
)

test('the complaint is one line with both versions', () => {
  expect(complaintAbout('v18.20.4')).toBe(
    'Node 18.20.4 is too old: Node 20.9 or later is needed (https://nodejs.org).',
  )
})

test('package.json asks for the same version', () => {
  const { engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  expect(`${engines.node}.0`).toBe(`>=${oldestNode}`)
})

const folder = join(repository, 'scripts')
const loadedByAnyNode = readdirSync(folder).filter((name) =>
  /^(start|dev|build|check|test|modules|launch|node-version)\.mjs$/.test(name),
)

test.each(loadedByAnyNode)('%s has only syntax that an old Node can parse', async (name) => {
  const source = readFileSync(join(folder, name), 'utf8')
  const [old, latest] = await Promise.all([
    transform(source, { target: 'node12.20', format: 'esm' }),
    transform(source, { target: 'esnext', format: 'esm' }),
  ])
  expect(old.code).toBe(latest.code)
  expect(source).not.toMatch(/from 'node:/)
})
