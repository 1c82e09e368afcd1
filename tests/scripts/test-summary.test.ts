import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  countPlaywright,
  countSkippedAsFailed,
  countVitest,
  failedInPlaywright,
  failedInVitest,
  skippedInPlaywright,
  skippedInVitest,
  sumCounts,
  summaryLine,
} from '../../scripts/testing/summary.mjs'
import { createInstalledProject } from './support/installed-project'
import { run } from './support/run'

const vitest = (passed: number, failed: number, pending = 0, todo = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: todo,
  testResults: [] as object[],
})

test('the summary line mentions skipped tests only if there are any', () => {
  expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})

test('counts a skipped test as failed in CI, and names it', () => {
  const count = { passed: 4, failed: 1, skipped: 1, failures: ['signs in'], skips: ['signs out'] }
  expect(countSkippedAsFailed(count)).toEqual({
    passed: 4,
    failed: 2,
    skipped: 0,
    failures: ['signs in', 'signs out (skipped)'],
  })
})

test('Vitest: counts passed, skipped and todo tests, and files that did not load', () => {
  expect(countVitest(vitest(5, 0, 1, 2), 0)).toEqual({ passed: 5, failed: 0, skipped: 3 })
  const unloaded = { status: 'failed', assertionResults: [] }
  const report = { ...vitest(5, 0), testResults: [unloaded] }
  expect(countVitest(report, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 })
})

test('counts one failure if a runner fails without a failed test or without a report', () => {
  expect(countVitest(vitest(5, 0), 1)).toEqual({ passed: 5, failed: 1, skipped: 0 })
  expect(countVitest(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countPlaywright(undefined, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('Playwright: counts a flaky test as passed', () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }
  expect(countPlaywright({ stats }, 1)).toEqual({ passed: 5, failed: 1, skipped: 2 })
})

test('names the failed and skipped tests, and the failed files', () => {
  const failed = { status: 'failed', fullName: 'signs in' }
  const passed = { status: 'passed', fullName: 'signs out' }
  const skipped = { status: 'skipped', fullName: 'retries' }
  const testResults = [
    { name: resolve('tests/auth.test.ts'), status: 'failed', assertionResults: [failed, passed] },
    { name: resolve('tests/mail.test.ts'), status: 'failed', assertionResults: [] },
    { name: resolve('tests/jobs.test.ts'), status: 'passed', assertionResults: [passed, skipped] },
  ]
  expect(failedInVitest({ testResults })).toEqual([
    'tests/auth.test.ts › signs in',
    'tests/mail.test.ts',
  ])
  expect(skippedInVitest({ testResults })).toEqual(['tests/jobs.test.ts › retries'])
  const specs = [
    { title: 'signs in', ok: false },
    { title: 'signs out', ok: true, tests: [{ status: 'skipped' }] },
  ]
  const suites = [{ title: 'auth.spec.ts', suites: [{ title: 'a viewer', specs }] }]
  expect(failedInPlaywright({ suites })).toEqual(['auth.spec.ts › a viewer › signs in'])
  expect(skippedInPlaywright({ suites })).toEqual(['auth.spec.ts › a viewer › signs out'])
  expect([...failedInVitest(undefined), ...failedInPlaywright(undefined)]).toEqual([])
})

test('sums counts', () => {
  const one = { passed: 1, failed: 2, skipped: 3 }
  expect(sumCounts(one, one)).toEqual({ passed: 2, failed: 4, skipped: 6 })
})

test('npm test prints the summary line last and exits with its exit code', async () => {
  const project = await createInstalledProject()
  const outcome = async (report: object, ci = '') => {
    const tests = run(project.folder, ['scripts/run.mjs', 'test', '-t', 'some'], {
      env: { ...services, CI: ci, REPORT: JSON.stringify(report) },
    })
    return { exitCode: await tests.exitCode, line: tests.lines().at(-1) }
  }
  expect(await outcome(vitest(7, 0))).toEqual({ exitCode: 0, line: '7 passed, 0 failed' })
  const failing = { status: 'failed', fullName: 'signs in' }
  const testResults = [{ name: 'auth.test.ts', status: 'failed', assertionResults: [failing] }]
  const failed = run(project.folder, ['scripts/run.mjs', 'test', '-t', 'some'], {
    env: { ...services, CI: '', REPORT: JSON.stringify({ ...vitest(7, 2), testResults }) },
  })
  expect(await failed.exitCode).toBe(1)
  expect(failed.lines().at(-1)).toBe('7 passed, 2 failed')
  expect(failed.lines().at(-2)).toMatch(/^Failed: .*auth\.test\.ts › signs in$/)
  const skipped = vitest(7, 0, 1)
  expect(await outcome(skipped)).toEqual({ exitCode: 0, line: '7 passed, 0 failed, 1 skipped' })
  expect(await outcome(skipped, 'true')).toEqual({ exitCode: 1, line: '7 passed, 1 failed' })

  project.write('fail', '')
  project.write('src/extra.ts', 'export {}\n')
  expect(await outcome(vitest(7, 0))).toEqual({ exitCode: 1, line: '0 passed, 1 failed' })
})

const services = {
  TEST_DATABASE_URL: 'postgres://somewhere',
  TEST_REDIS_URL: 'redis://somewhere',
}
