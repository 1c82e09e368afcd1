import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { root } from '../terminal.mjs'

export const noTests = { passed: 0, failed: 0, skipped: 0 }

export function sumCounts(...counts) {
  return counts.reduce((sum, count) => ({
    passed: sum.passed + count.passed,
    failed: sum.failed + count.failed,
    skipped: sum.skipped + count.skipped,
  }))
}

/** The last line of `npm test`. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * For CI, where everything that tests need is installed.
 * @param {{ passed: number, failed: number, skipped: number, failures?: string[], skips?: string[] }} count
 */
export function countSkippedAsFailed({ passed, failed, skipped, failures = [], skips = [] }) {
  const skippedNames = skips.map((name) => `${name} (skipped)`)
  return { passed, failed: failed + skipped, skipped: 0, failures: [...failures, ...skippedNames] }
}

export function countVitest(report, exitCode) {
  if (!report) return { ...noTests, failed: 1 }
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  return atLeastOneFailure(exitCode, {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  })
}

export function countPlaywright(report, exitCode) {
  if (!report) return { ...noTests, failed: 1 }
  const { expected, flaky, unexpected, skipped } = report.stats
  return atLeastOneFailure(exitCode, { passed: expected + flaky, failed: unexpected, skipped })
}

/** A runner can fail without a failed test: an error between tests, or no tests found. */
function atLeastOneFailure(exitCode, count) {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

/** The names of the failed tests, printed again at the end of the run. */
export function failedInVitest(report) {
  return filesOf(report).flatMap(({ file, status, tests }) => {
    const failed = tests.filter((test) => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [file] : []
    return failed.map((test) => `${file} › ${test.fullName}`)
  })
}

export function skippedInVitest(report) {
  return filesOf(report).flatMap(({ file, tests }) =>
    tests
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map((test) => `${file} › ${test.fullName}`),
  )
}

function filesOf(report) {
  return (report?.testResults ?? []).map(({ name, status, assertionResults }) => ({
    file: relative(root, name ?? ''),
    status,
    tests: assertionResults,
  }))
}

export function failedInPlaywright(report) {
  return specsOf(report, ({ ok }) => !ok)
}

export function skippedInPlaywright(report) {
  return specsOf(report, ({ tests = [] }) => tests.some(({ status }) => status === 'skipped'))
}

function specsOf(report, matches) {
  return (report?.suites ?? []).flatMap((suite) => specsInSuite(suite, [], matches))
}

function specsInSuite({ title, specs = [], suites = [] }, parents, matches) {
  const names = [...parents, title]
  return [
    ...specs.filter(matches).map((spec) => [...names, spec.title].join(' › ')),
    ...suites.flatMap((suite) => specsInSuite(suite, names, matches)),
  ]
}

/** Undefined if the runner exited before it wrote a report. */
export async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
