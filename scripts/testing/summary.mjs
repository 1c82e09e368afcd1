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

/** In CI a skipped test counts as a failure. */
export function exitCodeFor(count, ci) {
  return count.failed > 0 || (ci && count.skipped > 0) ? 1 : 0
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
