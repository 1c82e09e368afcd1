import { expect, test } from 'vitest'
import { createInstalledProject } from '../support/installed-project'
import { run } from '../support/run'

const failing = { name: 'tests/auth.test.ts › signs in', command: 'npm test -- tests/auth.test.ts' }

const services = {
  TEST_DATABASE_URL: 'postgres://somewhere',
  TEST_REDIS_URL: 'redis://somewhere',
}

async function runTests(folder: string, args: string[], results: object[], ci = '') {
  const tests = run(folder, ['scripts/start.mjs', ...args], {
    env: { ...services, CI: ci, RESULTS: JSON.stringify(results) },
  })
  return { exitCode: await tests.exitCode, lines: tests.lines() }
}

test('npm test names failed tests with their commands, and prints the counts last', async () => {
  const project = await createInstalledProject()
  const outcome = (result: object, ci = '', args = ['-t', 'some']) =>
    runTests(project.folder, ['test', ...args], [result], ci)
  const passed = await outcome({ passed: 7 })
  expect([passed.exitCode, passed.lines.at(-1)]).toEqual([0, '7 passed, 0 failed'])

  const failed = await outcome({ passed: 7, failures: [failing] })
  expect([failed.exitCode, failed.lines.at(-1)]).toEqual([1, '7 passed, 1 failed'])
  const at = failed.lines.indexOf(`Failed: ${failing.name}`)
  expect(failed.lines[at + 1]).toBe(`  ${failing.command}`)

  const skips = [{ name: 'signs out' }]
  const skipped = await outcome({ passed: 7, skips })
  expect([skipped.exitCode, skipped.lines.at(-1)]).toEqual([0, '7 passed, 0 failed, 1 skipped'])
  const inCi = await outcome({ passed: 7, skips }, 'true', ['--run'])
  expect([inCi.exitCode, inCi.lines.at(-1)]).toEqual([1, '7 passed, 1 failed'])
  // The rest of a file that a pattern selects from is skipped on purpose.
  const selected = await outcome({ passed: 7, skips }, 'true')
  expect([selected.exitCode, selected.lines.at(-1)]).toEqual([0, '7 passed, 0 failed, 1 skipped'])

  project.write('fail', '')
  project.write('src/extra.ts', 'export {}\n')
  const unbuilt = await outcome({ passed: 7 })
  expect([unbuilt.exitCode, unbuilt.lines.at(-1)]).toEqual([1, '0 passed, 1 failed'])
})

test('npm run test:repeat lists a test that failed in one of its runs', async () => {
  const project = await createInstalledProject()
  const results = [{ passed: 7 }, { passed: 6, failures: [failing] }, { passed: 7 }]
  const args = ['test-repeat', '--times', '3', '--load', '1', '-t', 'some']
  const { exitCode, lines } = await runTests(project.folder, args, results)
  expect(lines).toContain(`Failed: ${failing.name} (1 ×)`)
  expect([exitCode, lines.at(-1)]).toEqual([1, '20 passed, 1 failed'])

  const wrong = await runTests(project.folder, ['test-repeat', '--times', 'often'], results)
  expect([wrong.exitCode, wrong.lines]).toEqual([1, ['--times is not a whole number: often']])
})
