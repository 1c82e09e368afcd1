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
  const tested = npmTest(await installedApp(choice))
  expect(tested).toMatchObject(passed)
  expect(tested.out).not.toContain("Runs core's tests")
  const leftOut = /modules that are as in the template: (.*)\./.exec(tested.out)?.[1]
  expect(leftOut).toBe(choice === 'none' ? undefined : [...modules].sort().join(', '))
})

/** The template's own tests run all modules beside each other. */
test('all modules: the tests of one of them pass', async () => {
  const app = await installedApp(modules.join(','))
  expect(npmTest(app, 'src/app/(content)')).toMatchObject(passed)
})

test('the tests of a module run if the app has changed it, and notice what it broke', async () => {
  const app = await installedApp('landing,account')
  replaceIn(app, 'src/app/(landing)/content.ts', 'config.name}', 'config.name.slice(1)}')
  const { code, failed, out } = npmTest(app)
  expect(out).toContain('modules that are as in the template: account.')
  expect(failed.join('\n')).toContain('(landing)/tests/landing')
  expect(code).toBe(1)
})

test("core's tests pass in an app that has changed core, and notice what it broke", async () => {
  const path = 'packages/plinth/src/universal/users.ts'
  const app = await installedApp('none')
  replaceIn(app, path, 'min: 10', 'min: 11')
  const { code, failed, out } = npmTest(app)
  expect(out).toContain(`Runs core's tests too: core differs from the template (${path}).`)
  expect(failed.join('\n')).toContain('core/tests/auth/accounts/fields.test.ts')
  expect(code).toBe(1)
})
