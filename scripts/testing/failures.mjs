import { relative } from 'node:path'
import { root } from '../paths.mjs'

/** The names of the failed tests, printed again at the end of the run. */
export function failedInVitest(report) {
  const files = report?.testResults ?? []
  return files.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const file = relative(root, name ?? '')
    if (failed.length === 0) return status === 'failed' ? [file] : []
    return failed.map((test) => `${file} › ${test.fullName}`)
  })
}

export function failedInPlaywright(report) {
  return (report?.suites ?? []).flatMap((suite) => failedInSuite(suite, []))
}

function failedInSuite({ title, specs = [], suites = [] }, parents) {
  const names = [...parents, title]
  return [
    ...specs.filter(({ ok }) => !ok).map((spec) => [...names, spec.title].join(' › ')),
    ...suites.flatMap((suite) => failedInSuite(suite, names)),
  ]
}
