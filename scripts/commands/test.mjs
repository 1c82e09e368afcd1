import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../build/build.mjs'
import { check } from '../check/check.mjs'
import { errorMessage } from '../errors.mjs'
import { startServices } from '../services/services.mjs'
import { install } from '../setup/install.mjs'
import { isShuttingDown, onShutdown, shutDown } from '../shutdown.mjs'
import { formatDuration, print, timed } from '../terminal.mjs'
import { runPlaywright } from '../testing/playwright.mjs'
import { countSkippedAsFailed, noTests, sumCounts, summaryLine } from '../testing/summary.mjs'
import { runVitest } from '../testing/vitest.mjs'

/** Runs everything; with arguments only Vitest, which receives them. */
export async function run(args) {
  const ci = process.env.CI === 'true'
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  onShutdown(() => rm(folder, { recursive: true, force: true }))
  const { result, duration } = await timed(() => runPhases(args, folder, ci))
  await shutDown()
  print(`\nTotal time: ${formatDuration(duration)}`)
  for (const name of result.failures) print(`Failed: ${name}`)
  print(summaryLine(result))
  process.exitCode = result.failed > 0 ? 1 : 0
}

async function runPhases(args, folder, ci) {
  const counts = [noTests]
  const everything = args.length === 0
  try {
    await phase('Setup', install)
    const { environment, missing } = await phase('Services', () =>
      startServices({ browser: everything, ci }),
    )
    if (ci) counts.push({ ...noTests, failed: missing.length, failures: missing })
    if (everything) counts.push(await phase('Check', check))
    await phase('Build', build)
    counts.push(await phase('Vitest', () => runVitest(folder, args, environment)))
    if (everything && environment.CHROMIUM_PATH) {
      counts.push(await phase('Playwright', () => runPlaywright(folder, environment)))
    }
  } catch (error) {
    if (isShuttingDown()) await new Promise(() => {})
    for (const line of [...(error.details ?? []), errorMessage(error)]) print(line)
    counts.push({ ...noTests, failed: 1 })
  }
  const judged = ci ? counts.map(countSkippedAsFailed) : counts
  return { ...sumCounts(...judged), failures: judged.flatMap(({ failures = [] }) => failures) }
}

async function phase(name, work) {
  print(`\n── ${name}`)
  const { result, duration } = await timed(work)
  print(`── ${name}: ${formatDuration(duration)}`)
  return result
}
