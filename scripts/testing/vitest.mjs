import { join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { runAttached } from '../processes.mjs'
import { countVitest, failedInVitest, readReport, skippedInVitest } from './summary.mjs'

export async function runVitest(folder, args, environment) {
  const report = join(folder, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await runAttached(
    process.execPath,
    [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...args],
    { env: { ...process.env, ...environment } },
  )
  const results = await readReport(report)
  return {
    ...countVitest(results, code),
    failures: failedInVitest(results),
    skips: skippedInVitest(results),
  }
}
