import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../build/build.mjs'
import { check } from '../check/check.mjs'
import { atEnd, endEverything, isEnding } from '../ending.mjs'
import { lineFor } from '../failure.mjs'
import { startServices } from '../services/services.mjs'
import { install } from '../setup/install.mjs'
import { say, seconds, timed } from '../terminal.mjs'
import { runPlaywright } from '../testing/playwright.mjs'
import { add, exitCodeOf, nothing, resultLine } from '../testing/tally.mjs'
import { runVitest } from '../testing/vitest.mjs'

/** Everything, or with arguments only Vitest, which is handed them. */
export async function run(args) {
  const ci = process.env.CI === 'true'
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const { result, duration } = await timed(() => runPhases(args, folder, ci))
  await endEverything()
  say(`\nAll of it took ${seconds(duration)}`)
  for (const name of result.failures) say(`Failed: ${name}`)
  say(resultLine(result))
  process.exitCode = exitCodeOf(result, ci)
}

async function runPhases(args, folder, ci) {
  const counts = [nothing]
  const everything = args.length === 0
  try {
    await phase('Set-up', install)
    const { environment, missing } = await phase('Services', () =>
      startServices({ browser: everything, ci }),
    )
    if (ci) counts.push({ ...nothing, failed: missing.length, failures: missing })
    if (everything) counts.push(await phase('Check', check))
    await phase('Build', build)
    counts.push(await phase('Vitest', () => runVitest(folder, args, environment)))
    if (everything && environment.CHROMIUM_PATH) {
      counts.push(await phase('Playwright', () => runPlaywright(folder, environment)))
    }
  } catch (error) {
    if (isEnding()) await new Promise(() => {})
    for (const line of [...(error.details ?? []), lineFor(error)]) say(line)
    counts.push({ ...nothing, failed: 1 })
  }
  return { ...add(...counts), failures: counts.flatMap(({ failures = [] }) => failures) }
}

async function phase(name, work) {
  say(`\n── ${name}`)
  const { result, duration } = await timed(work)
  say(`── ${name}: ${seconds(duration)}`)
  return result
}
