import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../build/build.mjs'
import { check } from '../check/check.mjs'
import { isShuttingDown, onShutdown, shutDown } from '../processes.mjs'
import { allServices, startServices } from '../services/services.mjs'
import { install } from '../setup/install.mjs'
import { errorMessage, formatDuration, print, timed } from '../terminal.mjs'
import { keepTemporaryFilesInMemory, runPlaywright, runVitest } from '../testing/runners.mjs'
import { needsOf, refuseUnknownFiles } from '../testing/selected-files.mjs'
import { countSkippedAsFailed, noTests, sumCounts, summaryLine } from '../testing/summary.mjs'
import { coreTestsFolder, hasCoreTests, planTemplateTests } from '../testing/template-tests.mjs'

/**
 * Runs everything; with arguments the tests that they select, with what those need. An app runs
 * core's tests if it has them, if its core differs from the template's, and with `--core`; it leaves
 * out the tests of modules that do not differ.
 * `--nightly` adds the tests of CI, the long ones that CI leaves out, and every repetition of races.
 */
export async function run(args) {
  if (args.includes('--nightly')) Object.assign(process.env, { CI: 'true', NIGHTLY: 'true' })
  const ci = process.env.CI === 'true'
  await refuseUnknownFiles(args.filter((arg) => hasCoreTests() || !isCoreTest(arg)))
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  onShutdown(() => rm(folder, { recursive: true, force: true }))
  const names = args.filter((arg) => arg !== '--nightly')
  const { result, duration } = await timed(() => runPhases(names, folder, ci))
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
    if (plan.failure) counts.push({ ...noTests, failed: 1, failures: [plan.failure] })
    if (plan.skipped.length > 0) print(`Not needed, skipped: ${plan.skipped.join(', ')}`)
    // At night, tests link the packages of whole apps to those of this folder, on the same disk.
    const nightly = { ...process.env, ...plan.environment }.NIGHTLY === 'true'
    if (!nightly) await keepTemporaryFilesInMemory()
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
  const all = { services: allServices(), build: true, skipped: [] }
  if (args.includes('--core')) {
    const folder = await coreTestsFolder()
    const environment = hasCoreTests() ? {} : { CORE_TESTS: folder }
    return { ...all, vitest: [`${folder}/`], playwright: [`${folder}/`], environment }
  }
  if (args.length === 0) {
    return { ...all, check: true, vitest: [], playwright: [], ...(await planTemplateTests()) }
  }
  const { names, coreTests } = await withCoreTests(args)
  const environment = coreTests ? { CORE_TESTS: coreTests } : {}
  await refuseUnknownFiles(names, { coreTests })
  const needs = await needsOf(names, { coreTests })
  if (needs) return planForFiles(names, needs, environment)
  return { ...all, vitest: names, services: without('chromium'), skipped: ['check'], environment }
}

/** In an app, tests/core is where core's tests would be. */
async function withCoreTests(args) {
  if (hasCoreTests() || !args.some(isCoreTest)) return { names: args }
  const coreTests = await coreTestsFolder()
  const names = args.map((arg) =>
    isCoreTest(arg) ? arg.replace(/^(\.\/)?tests\/core/, coreTests) : arg,
  )
  return { names, coreTests }
}

function isCoreTest(arg) {
  return /^(\.\/)?tests\/core(\/|$)/.test(arg)
}

function planForFiles(args, { files, specs, build, services }, environment) {
  const flags = args.filter((arg) => arg.startsWith('-'))
  const onlySpecs = specs.length === files.length
  return {
    build,
    services,
    vitest: onlySpecs ? undefined : args,
    playwright: specs.length > 0 ? [...specs, ...(onlySpecs ? flags : [])] : undefined,
    // Vitest leaves these files out otherwise.
    environment: {
      ...environment,
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
