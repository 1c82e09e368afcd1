import { join } from 'node:path'
import { isOlder } from '../node-version.mjs'
import { cacheFolder } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { showProgress } from '../progress.mjs'
import { print } from '../terminal.mjs'
import { checkSteps } from './steps.mjs'

/** Runs every step, then prints the output of those that failed. */
export async function check() {
  const failures = []
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
    passed: steps.length - failures.length,
    failed: failures.length,
    skipped: 0,
    failures: failures.map(({ name }) => `check ${name}`),
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
