import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../support/app'
import { exists, git, read, snapshot } from '../support/run'

let created: ReturnType<typeof createApp>

beforeAll(() => {
  created = createApp('none')
})

const inTemplate = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'packages/plinth/tests'],
  {
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')

test('an app has no tests of core, and gets all of them with their support', () => {
  const { app, plinth } = created
  expect(exists(app, 'packages/plinth/tests')).toBe(false)
  expect(plinth('core-tests', '--into', '.plinth/core/tests')).toMatchObject({ code: 0 })
  const files = Object.keys(snapshot(join(app, '.plinth/core/tests')))
  const expected = inTemplate.filter((path) => !path.includes('/with-modules/'))
  expect(expected.length).toBeLessThan(inTemplate.length)
  expect(files).toEqual(expected.map((path) => path.slice('packages/plinth/tests/'.length)).sort())
  expect(files).toContain('guard/policy.test.ts')
  expect(git(app, 'status', '--porcelain')).toBe('')
  rmSync(join(app, '.plinth'), { recursive: true })
})

test('adding them keeps them in the app, and removing them restores every byte', () => {
  const { app, plinth } = created
  const before = snapshot(app)
  expect(plinth('add', 'core-tests', '--json')).toMatchObject({
    code: 0,
    json: { added: [{ id: 'core-tests' }] },
  })
  expect(exists(app, 'packages/plinth/tests/guard/policy.test.ts')).toBe(true)
  expect(JSON.parse(read(app, 'plinth.json')).coreTests).toBe(true)
  expect(plinth('list').out).toContain("Core's tests: in packages/plinth/tests")
  expect(plinth('diff', '--json').json).toMatchObject({ changed: [] })
  expect(plinth('add', 'core-tests').err).toContain('already installed')
  expect(plinth('remove', 'core-tests')).toMatchObject({ code: 0 })
  expect(snapshot(app)).toEqual(before)
})

test('edited ones are removed only by force, and the edits are saved', () => {
  const { app, plinth } = created
  const before = snapshot(app)
  expect(plinth('add', 'core-tests').code).toBe(0)
  writeFileSync(join(app, 'packages/plinth/tests/guard/policy.test.ts'), '// mine\n')
  const refused = plinth('remove', 'core-tests')
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toContain('packages/plinth/tests/guard/policy.test.ts (changed)')
  expect(read(app, 'packages/plinth/tests/guard/policy.test.ts')).toBe('// mine\n')
  expect(plinth('remove', 'core-tests', '--force').code).toBe(0)
  expect(read(app, 'removed-core-tests.patch')).toContain('// mine')
  rmSync(join(app, 'removed-core-tests.patch'))
  expect(snapshot(app)).toEqual(before)
})
