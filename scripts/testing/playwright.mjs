import { join } from 'node:path'
import { inRoot } from '../paths.mjs'
import { runAttached } from '../processes.mjs'
import { failedInPlaywright } from './failures.mjs'
import { readReport } from './report.mjs'
import { startServers } from './servers.mjs'
import { countPlaywright } from './tally.mjs'

export async function runPlaywright(folder, environment) {
  const report = join(folder, 'playwright.json')
  const servers = await startServers(folder)
  try {
    const { code } = await runAttached(
      process.execPath,
      [inRoot('node_modules', '@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json'],
      {
        env: {
          ...process.env,
          ...environment,
          E2E_BASE_URL: servers.production,
          E2E_DEV_BASE_URL: servers.development,
          E2E_OUTBOX: servers.outbox,
          PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        },
      },
    )
    const results = await readReport(report)
    return { ...countPlaywright(results, code), failures: failedInPlaywright(results) }
  } finally {
    await servers.end()
  }
}
