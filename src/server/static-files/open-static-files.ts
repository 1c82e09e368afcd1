import { join } from 'node:path'
import type { Env } from '@/core/config/env'
import { runInBackground } from '@/core/db/client'
import { type Build, storeBuild } from '@/core/db/static-files'
import { logFailure } from '@/core/http/request-log'
import { readOwnBuild } from '@/server/static-files/own-build'
import { type StaticFiles, serveStaticFiles } from '@/server/static-files/serve-static-files'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Stores the static files of this build, and serves those of other builds. Call it before the first
 * request: a page names files that the browser may request from an instance of another build.
 */
export async function openStaticFiles(settings: Env): Promise<StaticFiles | undefined> {
  // The embedded database has one instance.
  if (settings.embedded) return undefined
  const { names, stored } = await readOwnBuild(join(process.cwd(), '.next/static'))
  if (stored) await keepStored(stored)
  return serveStaticFiles({ ownNames: names, dataDir: settings.DATA_DIR })
}

/** Stores it again each day, so that it is not swept while it runs. */
async function keepStored(build: Build): Promise<void> {
  let delayMs = dayMs
  try {
    await runInBackground(() => storeBuild(build))
  } catch (error) {
    logFailure(error, 'static files not stored; retrying later', { level: 'warn' })
    delayMs = minuteMs
  }
  setTimeout(() => keepStored(build), delayMs).unref()
}
