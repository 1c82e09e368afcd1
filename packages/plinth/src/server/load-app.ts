import '#auth/sessions/next-environment'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { appFolder, buildFile } from '#config/app-folder'
import { StartupError } from '#config/env'
import { installedModules } from '#modules/installed-modules'
import type { Module } from '#modules/module'

type Instrumentation = { register: () => Promise<void> }

const loaded: { app?: Promise<readonly Module[]> } = {}

/**
 * Loads the built app into this process: its instrumentation registers it. Next loads the same file again when
 * it starts, which then changes nothing.
 */
export function loadApp(): Promise<readonly Module[]> {
  loaded.app ??= load()
  return loaded.app
}

/** Otherwise Next is the host: `next dev`, or a platform that runs Next itself. */
export function isLoadedByEngine(): boolean {
  return loaded.app !== undefined
}

async function load(): Promise<readonly Module[]> {
  const folder = appFolder()
  // The last file that a build writes.
  if (!existsSync(buildFile('actions.json'))) {
    throw new StartupError(`There is no finished build in ${folder}. Run npm run build.`)
  }
  process.env.NEXT_RUNTIME = 'nodejs'
  const require = createRequire(join(folder, 'package.json'))
  const { register }: Instrumentation = require(join(folder, '.next/server/instrumentation.js'))
  await register()
  return installedModules()
}
