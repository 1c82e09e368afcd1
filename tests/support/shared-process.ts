import { configure } from 'plinth/config/app-config'
import { parseEnv } from 'plinth/config/env'
import { installModules } from 'plinth/modules/installed-modules'
import { clearState } from 'plinth/testing/clear-state'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { app } from '@/register'
import { cleanUpAfterFile } from './after-file'
import { authSecret, replaceSettings } from './settings'

// Runs before each file. The files of a worker share its process, so that its code is loaded once.

const environment = { ...process.env }

replaceSettings(parseEnv({ ...process.env, AUTH_SECRET: authSecret }))

clearState()
configure(app.config)

/** The engine knows no module; all other tests use what the app has installed. */
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
