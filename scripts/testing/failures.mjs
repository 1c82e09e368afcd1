import { relative } from 'node:path'
import { root } from '../paths.mjs'

/** The names of what failed, to be said once more at the very end, where they are looked for. */
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

function failedInSuite({ title, specs = [], suites = [] }, above) {
  const names = [...above, title]
  return [
    ...specs.filter(({ ok }) => !ok).map((spec) => [...names, spec.title].join(' › ')),
    ...suites.flatMap((suite) => failedInSuite(suite, names)),
  ]
}
