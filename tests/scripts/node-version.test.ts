import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import {
  isOlder,
  minimumNode,
  nodeVersionError,
} from '../../packages/plinth/scripts/node-version.mjs'
import { repository } from './support/project'

test.each(['20.8.1', '18.20.4', '12.22.12', '9.11.2', '20.8.99'])('%s is too old', (version) => {
  expect(isOlder(version, minimumNode)).toBe(true)
})

test.each(['20.9.0', '20.10.0', '20.20.2', '22.0.0', '24.22.0', '100.0.0', '24.0.0-nightly2'])(
  '%s is new enough',
  (version) => {
    expect(nodeVersionError(`v${version}`)).toBeUndefined()
  },
)

test('the error is one line with both versions', () => {
  expect(nodeVersionError('v18.20.4')).toBe(
    'Node 18.20.4 is too old. Install Node 20.9 or later: https://nodejs.org',
  )
})

test('package.json requires the same version', () => {
  const { engines } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
  expect(`${engines.node}.0`).toBe(`>=${minimumNode}`)
})

const loadedByAnyNode = [
  'scripts/start.mjs',
  'packages/plinth/scripts/run.mjs',
  'packages/plinth/scripts/node-version.mjs',
]

test.each(loadedByAnyNode)('%s contains only syntax that Node 12 can parse', async (name) => {
  const source = readFileSync(join(repository, name), 'utf8')
  const [old, latest] = await Promise.all([
    transform(source, { target: 'node12.20', format: 'esm' }),
    transform(source, { target: 'esnext', format: 'esm' }),
  ])
  expect(old.code).toBe(latest.code)
  expect(source).not.toMatch(/from 'node:/)
})
