import { relative } from 'node:path'
import { root } from '../paths.mjs'

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
