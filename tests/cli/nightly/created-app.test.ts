import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createApp } from '../support/app'
import { linkPackages } from '../support/link-packages'
import { run } from '../support/run'

vi.setConfig({ testTimeout: 30 * 60_000, hookTimeout: 120_000 })

/** A fresh app, whose tests use the database of the template's. */
async function installedApp(modules: string): Promise<string> {
  const { app } = createApp(modules)
  await linkPackages(app)
  return app
}

function npmTest(app: string, ...names: string[]) {
  const { code, out } = run('npm', ['--silent', 'test', '--', ...names], app, { NIGHTLY: '' })
  const lines = out.trim().split('\n')
  return { code, last: lines.at(-1), failed: lines.filter((line) => /^Failed: /.test(line)), out }
}

const passed = { code: 0, last: expect.stringMatching(/^[1-9]\d* passed, 0 failed/), failed: [] }

function replaceIn(app: string, path: string, text: string, by: string) {
  const before = readFileSync(join(app, path), 'utf8')
  expect(before).toContain(text)
  writeFileSync(join(app, path), before.replace(text, by))
}

const modules = ['landing', 'account', 'admin', 'content', 'security']

test.each(modules)('%s alone: all tests pass', async (module) => {
  expect(npmTest(await installedApp(module), 'src', 'tests')).toMatchObject(passed)
})

test.each(['none', modules.join(',')])('%s: npm test passes', async (choice) => {
  expect(npmTest(await installedApp(choice))).toMatchObject(passed)
})

test('the tests of a module notice what the app broke', async () => {
  const app = await installedApp('landing,account')
  replaceIn(app, 'src/app/(landing)/content.ts', 'config.name}', 'config.name.slice(1)}')
  const { code, failed } = npmTest(app, 'src')
  expect(failed.join('\n')).toContain('(landing)/tests/landing')
  expect(code).toBe(1)
})

test('an app that has ejected the engine tests it, and notices what it broke', async () => {
  const { app, plinth } = createApp('none')
  expect(plinth('eject')).toMatchObject({ code: 0 })
  await linkPackages(app)
  expect(npmTest(app, 'packages/plinth/tests/auth', 'tests')).toMatchObject(passed)

  replaceIn(app, 'packages/plinth/src/universal/users.ts', 'min: 10', 'min: 11')
  const { code, failed } = npmTest(app, 'packages/plinth/tests/auth/accounts')
  expect(failed.join('\n')).toContain('tests/auth/accounts/fields')
  expect(code).toBe(1)
})
