import { parseEnv } from 'plinth/config/env'
import { installModules } from 'plinth/modules/installed-modules'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { app } from '@/register'
import { cleanUpAfterFile } from './after-file'
import { authSecret, replaceSettings } from './settings'

// Runs before each file. The files of a worker share its process, so that its code is loaded once.

const environment = { ...process.env }

replaceSettings(parseEnv({ ...process.env, AUTH_SECRET: authSecret }))

/** Made again of the settings when it is next used. */
const madeOfSettings = [
  'auth.secrets',
  'limits.memory',
  'limits.redis',
  'log',
  'log.destination',
  'start',
]
for (const name of madeOfSettings) delete stored()[Symbol.for(`plinth.${name}`)]

/** Changed in its place, because code holds it. */
restore('draining', (state) => {
  state.draining = false
})
restore('database.disk', (disk) => {
  disk.full = false
})
restore('database-clock', (clock) => {
  delete clock.ahead
})
restore('jobs.schedules', (schedules) => {
  delete schedules.names
})
restore('outages', (outages) => outages.clear())
restore('metrics', (metrics) => {
  metrics.enabled = false
  metrics.counters.clear()
  metrics.histograms.clear()
})

type SharedState = {
  draining: { draining: boolean }
  'database.disk': { full: boolean }
  'database-clock': { ahead?: number | undefined }
  'jobs.schedules': { names?: string[] }
  outages: Map<string, unknown>
  metrics: { enabled: boolean; counters: Map<string, unknown>; histograms: Map<string, unknown> }
}

function restore<Name extends keyof SharedState>(
  name: Name,
  change: (state: SharedState[Name]) => void,
): void {
  const state = stored()[Symbol.for(`plinth.${name}`)]
  if (state) change(state.value as SharedState[Name])
}

function stored() {
  return globalThis as unknown as Record<symbol, { value: unknown } | undefined>
}

/** Core knows no module; all other tests use what the app has installed. */
beforeAll(async () => {
  const { testPath = '' } = expect.getState()
  const usesModules =
    process.env.TEST_DATABASE && !/\/(packages\/plinth|\.plinth\/core)\/tests\//.test(testPath)
  installModules(usesModules ? app.modules : [])
})

afterAll(() => {
  cleanUpAfterFile()
  vi.useRealTimers()
  for (const name of Object.keys(process.env)) {
    if (!(name in environment)) delete process.env[name]
  }
  Object.assign(process.env, environment)
})
