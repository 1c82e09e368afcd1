import { afterAll, beforeAll, expect, vi } from 'vitest'
import { configure } from '#config/app-config'
import { parseEnv } from '#config/env'
import type { App } from '#modules/app'
import { installModules } from '#modules/installed-modules'
import { cleanUpAfterFile } from '#testing/after-file'
import { authSecret, replaceSettings } from '#testing/settings'
import { clearState } from '#testing/setup/clear-state'
import { setTestedApp } from '#testing/setup/tested-app'

/** Runs before each file. The files of a worker share its process, so that its code is loaded once. */
export function setUpTests(app: App): void {
  const environment = { ...process.env }

  setTestedApp(app)
  replaceSettings(parseEnv({ ...process.env, AUTH_SECRET: authSecret }))
  clearState()
  configure(app.config)

  /** The engine knows no module; all other tests use what the app has installed. */
  beforeAll(async () => {
    const { testPath = '' } = expect.getState()
    const usesModules = process.env.TEST_DATABASE && !/\/packages\/plinth\/tests\//.test(testPath)
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
}
