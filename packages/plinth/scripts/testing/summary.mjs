import { readFile } from 'node:fs/promises'
import { formatDuration, print } from '../terminal.mjs'

/**
 * The result of a phase. The `command` of a test runs it alone.
 *
 * @typedef {{ name: string, command?: string }} Test
 * @typedef {{ passed: number, failures: Test[], skips: Test[], files: { name: string, seconds: number }[] }} Result
 * @type {Result}
 */
export const noTests = { passed: 0, failures: [], skips: [], files: [] }

/** @returns {Result} */
export function failure(name) {
  return { ...noTests, failures: [{ name }] }
}

/** @returns {Result} */
export function sumResults(...results) {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    skips: results.flatMap(({ skips }) => skips),
    files: results.flatMap(({ files }) => files),
  }
}

/**
 * For CI, where everything that tests need is installed.
 *
 * @param {Result} result
 */
export function countSkippedAsFailed({ failures, skips, ...result }) {
  const skipped = skips.map((test) => ({ ...test, name: `${test.name} (skipped)` }))
  return { ...result, failures: [...failures, ...skipped], skips: [] }
}

/** A runner can fail without a failed test: an error between tests, no tests found, or no report. */
export async function readReport(file, runner, exitCode) {
  const report = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  if (!report) return failure(`${runner} exited with ${exitCode} before it wrote a report`)
  if (exitCode === 0 || report.failures.length > 0) return report
  return sumResults(report, failure(`${runner} exited with ${exitCode}`))
}

/** The failed tests with their commands, where the time went, and the counts as the last line. */
export function printSummary(result, durationMs) {
  for (const { name, command } of result.failures) {
    print(`\nFailed: ${name}`)
    if (command) print(`  ${command}`)
  }
  const slowest = slowestFiles(result)
  if (slowest.length > 1) print(`\nSlowest files:\n${slowest.map(fileLine).join('\n')}`)
  print(`\nTotal time: ${formatDuration(durationMs)}`)
  print(summaryLine(result))
}

/** @param {Result} result */
export function slowestFiles({ files }, count = 10) {
  return files.toSorted((one, other) => other.seconds - one.seconds).slice(0, count)
}

function fileLine({ name, seconds }) {
  return `${seconds.toFixed(1).padStart(7)} s  ${name}`
}

export function summaryLine({ passed, failures, skips }) {
  const skipped = skips.length > 0 ? `, ${skips.length} skipped` : ''
  return `${passed} passed, ${failures.length} failed${skipped}`
}
