import { join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { startProcess } from '../processes.mjs'
import { print } from '../terminal.mjs'
import { testFiles } from './needs.mjs'
import { startServers } from './servers.mjs'
import { countPlaywright, failedInPlaywright, readReport, skippedInPlaywright } from './summary.mjs'

/** Longer than any test with its hooks. */
const silenceTimeoutMs = 180_000

/**
 * On Node 20 a Playwright worker can deadlock while it loads a test: Node waits for its module hooks
 * thread, and Playwright, whose timeouts run in that worker, waits with it. No test has failed and
 * none will, so the run is repeated once.
 */
export async function runPlaywright(folder, environment, args) {
  const first = await attempt(join(folder, 'first'), environment, args)
  if (!first.stuck) return first.count
  print(
    'Playwright printed nothing for three minutes. Stopped it; running all browser tests again.',
  )
  const second = await attempt(join(folder, 'second'), environment, args)
  return second.count
}

/** Without files among the arguments it runs all. */
async function attempt(folder, environment, args) {
  const report = join(folder, 'playwright.json')
  const servers = await startServers(folder, await serversFor(args, environment.CORE_TESTS))
  try {
    const { code, stuck } = await runUnlessStuck(
      {
        ...process.env,
        ...environment,
        E2E_BASE_URL: servers.production,
        E2E_DEV_BASE_URL: servers.development,
        E2E_OUTBOX: servers.outbox,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      },
      args,
    )
    const results = await readReport(report)
    const failures = stuck ? ['Playwright got stuck'] : failedInPlaywright(results)
    const skips = skippedInPlaywright(results)
    return { stuck, count: { ...countPlaywright(results, code), failures, skips } }
  } finally {
    await servers.stop()
  }
}

/** The development server takes long to start, and not every app has tests for it. */
async function serversFor(args, coreTests) {
  const named = args.filter((arg) => arg.endsWith('.spec.ts'))
  const files = named.length > 0 ? named : await testFiles(undefined, coreTests)
  const specs = files.filter((file) => file.endsWith('.spec.ts'))
  const development = specs.filter((file) => file.endsWith('.dev.spec.ts'))
  return [
    ...(development.length < specs.length ? ['production'] : []),
    ...(development.length > 0 ? ['development'] : []),
  ]
}

async function runUnlessStuck(env, args) {
  const cli = inRoot('node_modules', '@playwright', 'test', 'cli.js')
  const { child, exited, stop } = startProcess(
    process.execPath,
    [cli, 'test', '--reporter=list,json', ...args.map(asPattern)],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let stuck = false
  const stopStuckRun = () => {
    stuck = true
    stop()
  }
  let timer = setTimeout(stopStuckRun, silenceTimeoutMs)
  child.stdout.on('data', (text) => {
    process.stdout.write(text)
    clearTimeout(timer)
    timer = setTimeout(stopStuckRun, silenceTimeoutMs)
  })
  const { code } = await exited
  clearTimeout(timer)
  return { code, stuck }
}

/** Playwright takes regular expressions, and the folders of modules have parentheses. */
function asPattern(arg) {
  return arg.startsWith('-') ? arg : arg.replaceAll(/[()[\]]/g, '.')
}
