import { join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { startProcess } from '../processes.mjs'
import { say } from '../terminal.mjs'
import { failedInPlaywright } from './failures.mjs'
import { readReport } from './report.mjs'
import { startServers } from './servers.mjs'
import { countPlaywright } from './tally.mjs'

/** Longer than any test may take together with what is done before and after it. */
const silence = 180_000

/**
 * On Node 20 a worker of Playwright's can stop for good while it loads a test: Node waits for its
 * own thread of module hooks, and Playwright, whose limits are kept by that worker, waits with it.
 * No test has failed then and none will, so all of them are run once more.
 */
export async function runPlaywright(folder, environment) {
  const first = await attempt(join(folder, 'first'), environment)
  if (!first.stuck) return first.count
  say('Playwright has said nothing for three minutes and is ended: everything is run once more.')
  const second = await attempt(join(folder, 'second'), environment)
  return second.count
}

async function attempt(folder, environment) {
  const report = join(folder, 'playwright.json')
  const servers = await startServers(folder)
  try {
    const { code, stuck } = await runUnlessStuck({
      ...process.env,
      ...environment,
      E2E_BASE_URL: servers.production,
      E2E_DEV_BASE_URL: servers.development,
      E2E_OUTBOX: servers.outbox,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    })
    const results = await readReport(report)
    const failures = stuck ? ['Playwright got stuck'] : failedInPlaywright(results)
    return { stuck, count: { ...countPlaywright(results, code), failures } }
  } finally {
    await servers.end()
  }
}

async function runUnlessStuck(env) {
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js')
  const { child, exited, end } = startProcess(
    process.execPath,
    [cli, 'test', '--reporter=list,json'],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let stuck = false
  const giveUp = () => {
    stuck = true
    end()
  }
  let timer = setTimeout(giveUp, silence)
  child.stdout.on('data', (text) => {
    process.stdout.write(text)
    clearTimeout(timer)
    timer = setTimeout(giveUp, silence)
  })
  const { code } = await exited
  clearTimeout(timer)
  return { code, stuck }
}
