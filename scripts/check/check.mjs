import { join } from 'node:path'
import { isOlder } from '../node-version.mjs'
import { cacheFolder } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { showProgress } from '../progress.mjs'
import { say } from '../terminal.mjs'
import { checkSteps } from './steps.mjs'

/** Runs every step, shows what the failed ones said, and counts. */
export async function check() {
  const failures = []
  const steps = checkSteps().filter(runsOnThisNode)
  for (const step of steps) {
    const lines = await runStep(step)
    if (lines) failures.push({ name: step.name, lines })
  }
  for (const { name, lines } of failures) {
    say(`\nCheck ${name} failed:`)
    for (const line of lines) say(line)
  }
  return {
    passed: steps.length - failures.length,
    failed: failures.length,
    skipped: 0,
    failures: failures.map(({ name }) => `check ${name}`),
  }
}

/** The sources are the same on every Node: a check left out on an old one is made on another. */
function runsOnThisNode({ name, since }) {
  if (!since || !isOlder(process.version, since)) return true
  say(`Check ${name}: left out, its tool needs Node ${since} or later`)
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
