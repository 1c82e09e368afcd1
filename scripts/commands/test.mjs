import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../build/build.mjs'
import { check } from '../check/check.mjs'
import { errorMessage } from '../errors.mjs'
import { allServices, startServices } from '../services/services.mjs'
import { install } from '../setup/install.mjs'
import { isShuttingDown, onShutdown, shutDown } from '../shutdown.mjs'
import { formatDuration, print, timed } from '../terminal.mjs'
import { needsOf } from '../testing/needs.mjs'
import { runPlaywright } from '../testing/playwright.mjs'
import { countSkippedAsFailed, noTests, sumCounts, summaryLine } from '../testing/summary.mjs'
import { runVitest } from '../testing/vitest.mjs'

/** Runs everything; with arguments the tests that they select, with what those need. */
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
  try {
    await phase('Setup', install)
    const plan = await planFor(args)
    if (plan.skipped.length > 0) print(`Not needed, skipped: ${plan.skipped.join(', ')}`)
    const { environment, missing } = await phase('Services', () => startServices(plan.services, ci))
    if (ci) counts.push({ ...noTests, failed: missing.length, failures: missing })
    if (plan.check) counts.push(await phase('Check', check))
    if (plan.build) await phase('Build', build)
    const settings = { ...environment, ...plan.environment }
    if (plan.vitest) {
      counts.push(await phase('Vitest', () => runVitest(folder, plan.vitest, settings)))
    }
    if (plan.playwright && environment.CHROMIUM_PATH) {
      counts.push(await phase('Playwright', () => runPlaywright(folder, settings, plan.playwright)))
    }
  } catch (error) {
    if (isShuttingDown()) await new Promise(() => {})
    for (const line of [...(error.details ?? []), errorMessage(error)]) print(line)
    counts.push({ ...noTests, failed: 1 })
  }
  const judged = ci ? counts.map(countSkippedAsFailed) : counts
  return { ...sumCounts(...judged), failures: judged.flatMap(({ failures = [] }) => failures) }
}

/** `vitest` and `playwright` are their arguments, undefined if there is nothing for them to run. */
async function planFor(args) {
  const everything = { vitest: args, services: allServices(), build: true, skipped: [] }
  if (args.length === 0) return { ...everything, check: true, playwright: [] }
  const needs = await needsOf(args)
  if (!needs) return { ...everything, services: without('chromium'), skipped: ['check'] }
  const { files, specs, build, services } = needs
  const flags = args.filter((arg) => arg.startsWith('-'))
  const onlySpecs = specs.length === files.length
  return {
    build,
    services,
    vitest: onlySpecs ? undefined : args,
    playwright: specs.length > 0 ? [...specs, ...(onlySpecs ? flags : [])] : undefined,
    // Vitest leaves these files out otherwise.
    environment: {
      ...(files.some((file) => /\.(ci|nightly)\./.test(file)) && { CI: 'true' }),
      ...(files.some((file) => /\.nightly\./.test(file)) && { NIGHTLY: 'true' }),
    },
    skipped: ['check', ...(build ? [] : ['build']), ...without(...services)],
  }
}

function without(...names) {
  return allServices().filter((name) => !names.includes(name))
}

async function phase(name, work) {
  print(`\n── ${name}`)
  const { result, duration } = await timed(work)
  print(`── ${name}: ${formatDuration(duration)}`)
  return result
}
