import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { updateModules } from '../modules/generated.mjs'
import { isOlder } from '../node-version.mjs'
import { cacheFolder, inRoot, inScripts, isEjected, nextBin } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { formatDuration, print, showProgress, timed } from '../terminal.mjs'
import { noTests } from '../testing/summary.mjs'

/** As many at once as there are cores on a small machine. */
const concurrentSteps = 2

/** Updates the generated files, runs every step, then prints the output of those that failed. */
export async function check() {
  // In CI an outdated file must fail, because it is the committed one.
  if (process.env.CI !== 'true') await updateModules().catch(() => {})
  const steps = checkSteps().filter(runsOnThisNode)
  const results = await runSteps(steps)
  const failures = results.filter(({ lines }) => lines)
  for (const { name, lines } of failures) {
    print(`\nCheck ${name} failed:`)
    for (const line of lines) print(line)
  }
  return {
    ...noTests,
    passed: steps.length - failures.length,
    failures: failures.map(({ name }) => ({ name: `check ${name}`, command: 'npm run check' })),
  }
}

/** The result of each step, in the order of the steps: its name, and its output if it failed. */
async function runSteps(steps) {
  const progress = showProgress('Check')
  const running = new Set()
  const results = new Map()
  const waiting = [...steps]
  const runNext = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      running.add(step.name)
      progress.activity([...running].join(', '))
      results.set(step.name, await timed(() => runStep(step)))
      running.delete(step.name)
    }
  }
  await Promise.all(Array.from({ length: concurrentSteps }, runNext))
  progress.stop()
  return steps.map(({ name }) => {
    const { result: lines, duration } = results.get(name)
    print(`Check ${name}: ${lines ? 'FAILED' : 'passed'} in ${formatDuration(duration)}`)
    return { name, lines }
  })
}

/** A check that is skipped on an old Node runs in CI on a newer one. */
function runsOnThisNode({ name, since }) {
  if (!since || !isOlder(process.version, since)) return true
  print(`Check ${name}: skipped, requires Node ${since} or later`)
  return false
}

async function runStep({ name, prepare, commands }) {
  await prepare?.()
  for (const command of commands) {
    const { code, lines } = await runLogged(process.execPath, command, {
      log: join(cacheFolder, `check-${name}.log`),
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    })
    if (code !== 0) return lines
  }
  return undefined
}

/**
 * The steps of `npm run check`, the longest first. The commands of a step run in sequence. `since` is the
 * minimum Node version of a tool that does not run on every supported Node.
 */
function checkSteps() {
  return [
    {
      name: 'types',
      prepare: removeDevelopmentTypes,
      commands: [
        [nextBin, 'typegen'],
        [bin('typescript/bin/tsc'), '--noEmit', '-p', sources],
      ],
    },
    { name: 'imports', commands: [[inScripts('check', 'imports.mjs')]] },
    {
      name: 'unused',
      commands: [[bin('knip/bin/knip.js'), '--tsConfig', sources]],
      since: '20.19.0',
    },
    { name: 'biome', commands: [[bin('@biomejs/biome/bin/biome'), 'check']] },
    { name: 'declarations', commands: [[inScripts('check', 'declarations.mjs')]] },
    { name: 'modules', commands: [[inScripts('run.mjs'), 'modules', '--check']] },
  ]
}

/** With the sources of the engine, where they are, instead of its compiled copy. */
const sources = isEjected ? 'packages/plinth/tsconfig.json' : 'tsconfig.json'

/** `next dev` leaves types of deleted pages, which fail in tsc. */
async function removeDevelopmentTypes() {
  await rm(inRoot('.next', 'dev', 'types'), { recursive: true, force: true })
}

function bin(path) {
  return inRoot('node_modules', path)
}
