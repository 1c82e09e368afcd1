import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  countSkippedAsFailed,
  failure,
  noTests,
  readReport,
  slowestFiles,
  summaryLine,
  sumResults,
} from '../../packages/plinth/scripts/testing/summary.mjs'

const folder = mkdtempSync(join(tmpdir(), 'plinth-summary-'))
afterAll(() => rmSync(folder, { recursive: true }))

const failed = { name: 'signs in' }
const skipped = { name: 'signs out' }

test('the summary line mentions skipped tests only if there are any', () => {
  expect(summaryLine({ ...noTests, passed: 3 })).toBe('3 passed, 0 failed')
  expect(summaryLine({ ...noTests, passed: 3, failures: [failed], skips: [skipped] })).toBe(
    '3 passed, 1 failed, 1 skipped',
  )
})

test('counts a skipped test as failed in CI, and names it', () => {
  const result = { ...noTests, passed: 4, failures: [failed], skips: [skipped] }
  expect(countSkippedAsFailed(result)).toEqual({
    ...noTests,
    passed: 4,
    failures: [failed, { name: 'signs out (skipped)' }],
  })
})

test('sums results', () => {
  const one = {
    passed: 1,
    failures: [failed],
    skips: [skipped],
    files: [{ name: 'a', seconds: 1 }],
  }
  expect(sumResults(one, noTests, one)).toEqual({
    passed: 2,
    failures: [failed, failed],
    skips: [skipped, skipped],
    files: [...one.files, ...one.files],
  })
})

test('a runner that fails without a failed test, or writes no report, is a failure', async () => {
  const file = join(folder, 'report.json')
  expect(await readReport(file, 'Vitest', 0)).toEqual(
    failure('Vitest exited with 0 before it wrote a report'),
  )
  writeFileSync(file, JSON.stringify({ ...noTests, passed: 5 }))
  expect(await readReport(file, 'Vitest', 0)).toEqual({ ...noTests, passed: 5 })
  expect(await readReport(file, 'Vitest', 1)).toMatchObject({
    passed: 5,
    failures: [{ name: 'Vitest exited with 1' }],
  })
  writeFileSync(file, JSON.stringify({ ...noTests, passed: 5, failures: [failed] }))
  expect((await readReport(file, 'Vitest', 1)).failures).toEqual([failed])
})

test('lists the slowest files first', () => {
  const files = [1, 3, 2].map((seconds) => ({ name: `${seconds}.test.ts`, seconds }))
  expect(slowestFiles({ ...noTests, files }, 2).map(({ seconds }) => seconds)).toEqual([3, 2])
})
