import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createApp } from './support/app'
import { linkPackages } from './support/link-packages'
import { run } from './support/run'

vi.setConfig({ testTimeout: 30 * 60_000, hookTimeout: 120_000 })

/** `npm test` of a fresh app, on the database that the template's tests use. */
async function testApp(modules: string, edit: (app: string) => void = () => {}) {
  const { app } = createApp(modules)
  await linkPackages(app)
  edit(app)
  const { code, out } = run('npm', ['--silent', 'test'], app, { NIGHTLY: '' })
  const lines = out.trim().split('\n')
  return { code, last: lines.at(-1), failed: lines.filter((line) => /^Failed: /.test(line)), out }
}

const modules = ['landing', 'account', 'admin', 'content', 'security']
const choices = ['none', ...modules, modules.join(',')]

test.each(choices)('%s: npm test passes', async (modules) => {
  const { code, last, failed, out } = await testApp(modules)
  expect(failed).toEqual([])
  expect(last).toMatch(/^\d+ passed, 0 failed/)
  expect(code).toBe(0)
  expect(out).not.toContain("Runs core's tests")
})

test("core's tests pass in an app that has changed core, and notice what it broke", async () => {
  const path = 'src/core/config/users.ts'
  const { code, failed, out } = await testApp('none', (app) => {
    const text = readFileSync(join(app, path), 'utf8')
    writeFileSync(join(app, path), text.replace('30', '31'))
  })
  expect(out).toContain(`Runs core's tests too: core differs from the template (${path}).`)
  expect(failed.join('\n')).toContain('session-lifetime.test.ts')
  expect(code).toBe(1)
})
