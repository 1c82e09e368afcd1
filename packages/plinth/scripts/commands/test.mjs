import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../build/build.mjs'
import { check } from '../check/check.mjs'
import { isShuttingDown, onShutdown, shutDown, startProcess } from '../processes.mjs'
import { allServices, startServices } from '../services/services.mjs'
import { install } from '../setup/install.mjs'
import { CommandError, errorMessage, formatDuration, print, timed } from '../terminal.mjs'
import { keepTemporaryFilesInMemory, runPlaywright, runVitest } from '../testing/runners.mjs'
import { needsOf, refuseUnknownFiles } from '../testing/selected-files.mjs'
import {
  countSkippedAsFailed,
  failure,
  noTests,
  printSummary,
  sumResults,
} from '../testing/summary.mjs'

/**
 * Runs everything; with arguments the tests that they select, with what those need. The engine's tests
 * run where its sources are.
 * `--all` and CI add the tests in folders named `slow` and the other database, `--nightly` also those in
 * folders named `nightly` and every repetition of races.
 */
export async function run(args) {
  const names = withoutScope(args)
  const { result, duration } = await timed(() =>
    withPreparedTests(names, async ({ first, runTests }) => sumResults(first, await runTests())),
  )
  printSummary(judge(result, names), duration)
}

/**
 * Runs the tests several times, also while processes that only compute use the cores, and lists every
 * test that failed even once.
 */
export async function repeat(args) {
  const { options, rest } = readNumbers(args, { times: 3, load: 0 })
  const names = withoutScope(rest)
  const { result, duration } = await timed(() =>
    withPreparedTests(names, async ({ first, runTests }) => {
      const results = [first]
      const busy = Array.from({ length: options.load }, () =>
        startProcess(process.execPath, ['-e', 'for (;;);']),
      )
      for (let round = 1; round <= options.times; round += 1) {
        print(`\n── Run ${round} of ${options.times}, beside ${options.load} busy processes`)
        results.push(await runTests())
      }
      await Promise.all(busy.map(({ stop }) => stop()))
      return sumResults(...results)
    }),
  )
  const judged = judge(result, names)
  printSummary({ ...judged, failures: withTimes(judged.failures) }, duration)
}

/** `--all` and `--nightly` are not arguments of a runner. */
function withoutScope(args) {
  if (args.includes('--all') || args.includes('--nightly')) process.env.CI = 'true'
  if (args.includes('--nightly')) process.env.NIGHTLY = 'true'
  return args.filter((arg) => arg !== '--nightly' && arg !== '--all')
}

function readNumbers(args, defaults) {
  const options = { ...defaults }
  const rest = []
  for (let index = 0; index < args.length; index += 1) {
    const name = args[index].replace(/^--/, '')
    if (!(args[index].startsWith('--') && name in defaults)) rest.push(args[index])
    else {
      index += 1
      options[name] = Number(args[index])
      if (!Number.isInteger(options[name]) || options[name] < 0) {
        throw new CommandError(`--${name} is not a whole number: ${args[index]}`)
      }
    }
  }
  return { options, rest }
}

/** Each failed test once, with how often it failed. */
function withTimes(failures) {
  const times = new Map()
  for (const { name } of failures) times.set(name, (times.get(name) ?? 0) + 1)
  return failures
    .filter(({ name }, index) => failures.findIndex((other) => other.name === name) === index)
    .map((test) => ({ ...test, name: `${test.name} (${times.get(test.name)} ×)` }))
}

function judge(result, args) {
  const isPart = args.some((arg) => /^(-t|-g|--testNamePattern|--grep)\b/.test(arg))
  const judged = process.env.CI === 'true' && !isPart ? countSkippedAsFailed(result) : result
  process.exitCode = judged.failures.length > 0 ? 1 : 0
  return judged
}

/** `first` is the result of what is done once: the checks. `runTests` runs the rest, each time it is called. */
async function withPreparedTests(args, work) {
  const ci = process.env.CI === 'true'
  await refuseUnknownFiles(args)
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'))
  onShutdown(() => rm(folder, { recursive: true, force: true }))
  try {
    const { first, plan, settings } = await prepare(args, ci)
    return await work({ first, runTests: () => runTests(folder, plan, settings) })
  } catch (error) {
    if (isShuttingDown()) await new Promise(() => {})
    for (const line of error.details ?? []) print(line)
    return failure(errorMessage(error))
  } finally {
    await shutDown()
  }
}

async function prepare(args, ci) {
  const results = [noTests]
  await phase('Setup', install)
  const plan = await planFor(args)
  if (plan.skipped.length > 0) print(`Not needed, skipped: ${plan.skipped.join(', ')}`)
  // At night, tests link the packages of whole apps to those of this folder, on the same disk.
  const nightly = { ...process.env, ...plan.environment }.NIGHTLY === 'true'
  if (!nightly) await keepTemporaryFilesInMemory()
  const { environment, missing } = await phase('Services', () => startServices(plan.services, ci))
  if (ci) results.push(...missing.map((name) => failure(`${name} is missing`)))
  const checked = plan.check ? await phase('Check', check) : undefined
  if (checked) results.push(checked)
  const typesChecked = checked?.failures.length === 0
  if (plan.build) await phase('Build', () => build({ typesChecked }))
  return {
    first: sumResults(...results),
    plan,
    settings: { ...environment, ...plan.environment },
  }
}

async function runTests(folder, { vitest, playwright }, settings) {
  const results = [noTests]
  if (vitest) results.push(await phase('Vitest', () => runVitest(folder, vitest, settings)))
  if (playwright && settings.CHROMIUM_PATH) {
    results.push(await phase('Playwright', () => runPlaywright(folder, settings, playwright)))
  }
  return sumResults(...results)
}

/** `vitest` and `playwright` are their arguments, undefined if there is nothing for them to run. */
async function planFor(args) {
  const all = { services: allServices(), build: true, skipped: [] }
  if (args.length === 0) {
    const playwright = process.env.CI === 'true' ? [] : ['--grep-invert=@slow']
    return { ...all, check: true, vitest: [], playwright }
  }
  const needs = await needsOf(args)
  if (needs) return planForFiles(args, needs)
  return { ...all, vitest: args, services: without('chromium'), skipped: ['check'] }
}

function planForFiles(args, { files, specs, build, services }) {
  const flags = args.filter((arg) => arg.startsWith('-'))
  const onlySpecs = specs.length === files.length
  /** `file:line` selects one test of the file. */
  const withLine = (spec) => args.find((arg) => arg.replace(/:\d+$/, '').endsWith(spec)) ?? spec
  return {
    build,
    services,
    vitest: onlySpecs ? undefined : args,
    playwright:
      specs.length > 0 ? [...specs.map(withLine), ...(onlySpecs ? flags : [])] : undefined,
    // Vitest leaves these files out otherwise.
    environment: {
      ...(files.some((file) => /\/(slow|nightly)\//.test(file)) && { CI: 'true' }),
      ...(files.some((file) => /\/nightly\//.test(file)) && { NIGHTLY: 'true' }),
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
