import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { failedInPlaywright, failedInVitest } from '../../scripts/testing/failures.mjs'
import {
  add,
  countPlaywright,
  countVitest,
  exitCodeOf,
  resultLine,
} from '../../scripts/testing/tally.mjs'
import { createInstalledProject } from './support/installed-project'
import { run } from './support/run'

const vitest = (passed: number, failed: number, pending = 0, todo = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: todo,
  testResults: [] as object[],
})

test('the result line names what was skipped only if something was', () => {
  expect(resultLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(resultLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})

test('a failure is exit code 1, a skipped test only on CI', () => {
  expect(exitCodeOf({ passed: 1, failed: 0, skipped: 0 }, true)).toBe(0)
  expect(exitCodeOf({ passed: 1, failed: 1, skipped: 0 }, false)).toBe(1)
  expect(exitCodeOf({ passed: 1, failed: 0, skipped: 1 }, false)).toBe(0)
  expect(exitCodeOf({ passed: 1, failed: 0, skipped: 1 }, true)).toBe(1)
})

test('Vitest: tests, skipped and todo, files that did not load', () => {
  expect(countVitest(vitest(5, 0, 1, 2), 0)).toEqual({ passed: 5, failed: 0, skipped: 3 })
  const unloaded = { status: 'failed', assertionResults: [] }
  const report = { ...vitest(5, 0), testResults: [unloaded] }
  expect(countVitest(report, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 })
})

test('a runner that failed without a failed test, or without a report, is one failure', () => {
  expect(countVitest(vitest(5, 0), 1)).toEqual({ passed: 5, failed: 1, skipped: 0 })
  expect(countVitest(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countPlaywright(undefined, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('Playwright: a test that passed at the second try passed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }
  expect(countPlaywright({ stats }, 1)).toEqual({ passed: 5, failed: 1, skipped: 2 })
})

test('what failed is named', () => {
  const failed = { status: 'failed', fullName: 'the door opens' }
  const passed = { status: 'passed', fullName: 'the door shuts' }
  const testResults = [
    { name: resolve('tests/door.test.ts'), status: 'failed', assertionResults: [failed, passed] },
    { name: resolve('tests/wall.test.ts'), status: 'failed', assertionResults: [] },
    { name: resolve('tests/roof.test.ts'), status: 'passed', assertionResults: [passed] },
  ]
  expect(failedInVitest({ testResults })).toEqual([
    'tests/door.test.ts › the door opens',
    'tests/wall.test.ts',
  ])
  const specs = [
    { title: 'opens', ok: false },
    { title: 'shuts', ok: true },
  ]
  const suites = [{ title: 'door.spec.ts', suites: [{ title: 'the door', specs }] }]
  expect(failedInPlaywright({ suites })).toEqual(['door.spec.ts › the door › opens'])
  expect([...failedInVitest(undefined), ...failedInPlaywright(undefined)]).toEqual([])
})

test('counts add up', () => {
  const one = { passed: 1, failed: 2, skipped: 3 }
  expect(add(one, one)).toEqual({ passed: 2, failed: 4, skipped: 6 })
})

test('npm test ends with the result line and its exit code', async () => {
  const project = await createInstalledProject()
  const outcome = async (report: object, ci = '') => {
    const tests = run(project.folder, ['scripts/test.mjs', 'some.test.ts'], {
      env: { ...services, CI: ci, REPORT: JSON.stringify(report) },
    })
    return { exitCode: await tests.exitCode, line: tests.lines().at(-1) }
  }
  expect(await outcome(vitest(7, 0))).toEqual({ exitCode: 0, line: '7 passed, 0 failed' })
  const failing = { status: 'failed', fullName: 'the door opens' }
  const testResults = [{ name: 'door.test.ts', status: 'failed', assertionResults: [failing] }]
  const failed = run(project.folder, ['scripts/test.mjs', 'some.test.ts'], {
    env: { ...services, CI: '', REPORT: JSON.stringify({ ...vitest(7, 2), testResults }) },
  })
  expect(await failed.exitCode).toBe(1)
  expect(failed.lines().at(-1)).toBe('7 passed, 2 failed')
  expect(failed.lines().at(-2)).toMatch(/^Failed: .*door\.test\.ts › the door opens$/)
  const skipped = vitest(7, 0, 1)
  expect(await outcome(skipped)).toEqual({ exitCode: 0, line: '7 passed, 0 failed, 1 skipped' })
  expect(await outcome(skipped, 'true')).toEqual({
    exitCode: 1,
    line: '7 passed, 0 failed, 1 skipped',
  })

  project.write('fail', '')
  project.write('src/extra.ts', 'export {}\n')
  expect(await outcome(vitest(7, 0))).toEqual({ exitCode: 1, line: '0 passed, 1 failed' })
})

const services = {
  TEST_DATABASE_URL: 'postgres://somewhere',
  TEST_REDIS_URL: 'redis://somewhere',
}
