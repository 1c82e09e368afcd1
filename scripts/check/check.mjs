import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { updateModules } from '../modules/generated.mjs'
import { isOlder } from '../node-version.mjs'
import { runLogged } from '../processes.mjs'
import { cacheFolder, inRoot, nextBin, print, showProgress } from '../terminal.mjs'
import { noTests } from '../testing/summary.mjs'

/** Updates the generated files, runs every step, then prints the output of those that failed. */
export async function check() {
  const failures = []
  // In CI an outdated file must fail, because it is the committed one.
  if (process.env.CI !== 'true') await updateModules().catch(() => {})
  const steps = checkSteps().filter(runsOnThisNode)
  for (const step of steps) {
    const lines = await runStep(step)
    if (lines) failures.push({ name: step.name, lines })
  }
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

/** A check that is skipped on an old Node runs in CI on a newer one. */
function runsOnThisNode({ name, since }) {
  if (!since || !isOlder(process.version, since)) return true
  print(`Check ${name}: skipped, requires Node ${since} or later`)
  return false
}

async function runStep({ name, prepare, commands }) {
  const progress = showProgress(`Check ${name}`)
  await prepare?.()
  for (const command of commands) {
    const { code, lines } = await runLogged(process.execPath, command, {
      log: join(cacheFolder, `check-${name}.log`),
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    })
    if (code !== 0) {
      progress.done('FAILED')
      return lines
    }
  }
  progress.done('passed')
  return undefined
}

/**
 * The steps of `npm run check`. The commands of a step run in sequence. `since` is the minimum Node
 * version of a tool that does not run on every supported Node.
 */
function checkSteps() {
  return [
    { name: 'modules', commands: [[inRoot('scripts', 'run.mjs'), 'modules', '--check']] },
    { name: 'declarations', commands: [[inRoot('scripts', 'check', 'declarations.mjs')]] },
    {
      name: 'types',
      prepare: removeDevelopmentTypes,
      commands: [
        [nextBin, 'typegen'],
        [bin('typescript/bin/tsc'), '--noEmit'],
      ],
    },
    { name: 'biome', commands: [[bin('@biomejs/biome/bin/biome'), 'check']] },
    { name: 'imports', commands: [[inRoot('scripts', 'check', 'imports.mjs')]] },
    { name: 'unused', commands: [[bin('knip/bin/knip.js')]], since: '20.19.0' },
  ]
}

/** `next dev` leaves types of deleted pages, which fail in tsc. */
async function removeDevelopmentTypes() {
  await rm(inRoot('.next', 'dev', 'types'), { recursive: true, force: true })
}

function bin(path) {
  return inRoot('node_modules', path)
}
