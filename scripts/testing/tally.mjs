export const nothing = { passed: 0, failed: 0, skipped: 0 }

export function add(...counts) {
  return counts.reduce((sum, count) => ({
    passed: sum.passed + count.passed,
    failed: sum.failed + count.failed,
    skipped: sum.skipped + count.skipped,
  }))
}

/** The last line of `npm test`. */
export function resultLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** On CI a test that did not run is a test that did not pass. */
export function exitCodeOf(count, ci) {
  return count.failed > 0 || (ci && count.skipped > 0) ? 1 : 0
}

export function countVitest(report, exitCode) {
  if (!report) return { ...nothing, failed: 1 }
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
  if (!report) return { ...nothing, failed: 1 }
  const { expected, flaky, unexpected, skipped } = report.stats
  return atLeastOneFailure(exitCode, { passed: expected + flaky, failed: unexpected, skipped })
}

/** A runner may fail without a failed test: an error between tests, nothing found to run. */
function atLeastOneFailure(exitCode, count) {
  return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}
