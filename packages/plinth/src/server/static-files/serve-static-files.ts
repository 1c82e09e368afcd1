import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { appFolder } from '#config/app-folder'
import type { Env } from '#config/env'
import { connection, runInBackground } from '#db/client'
import { startTimer } from '#db/deadline'
import { DatabaseTimeout } from '#db/errors'
import { type Build, storeBuild } from '#db/static-files'
import { logFailure } from '#http/request-log'
import { acceptsGzip, sendPage } from '#server/pages/render-cache'
import {
  fileLoader,
  fileTypeOf,
  keptFiles,
  otherBuilds,
  readOwnBuild,
} from '#server/static-files/builds'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Stores the static files of this build, and serves those of other builds. Call it before the first
 * request: a page names files that the browser may request from an instance of another build.
 */
export async function openStaticFiles(settings: Env): Promise<StaticFiles | undefined> {
  // The embedded database has one instance.
  if (settings.embedded) return undefined
  const { names, stored } = await readOwnBuild(join(appFolder(), '.next/static'))
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

export type StaticFiles = {
  /** False for the files of this build, which Next serves. */
  mayHave(path: string): boolean
  /** Returns whether it responded. Throws if the database is unavailable. */
  respond(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

type Options = {
  ownNames: ReadonlySet<string>
  dataDir: string
  builds?: ReturnType<typeof otherBuilds>
}

const prefix = '/_next/static/'

/** Serves the static files of other builds, which Next would not find. */
export function serveStaticFiles({
  ownNames,
  dataDir,
  builds = otherBuilds(),
}: Options): StaticFiles {
  const load = fileLoader(keptFiles(dataDir))

  async function findFile(name: string): Promise<{ hash: string; content: Buffer } | undefined> {
    const hash = await builds.find(name)
    const content = hash === undefined ? undefined : await load(hash)
    return hash === undefined || content === undefined ? undefined : { hash, content }
  }

  return {
    mayHave: (path) => path.startsWith(prefix) && !ownNames.has(nameOf(path)),
    async respond(request, response) {
      const { method, url = '' } = request
      if (method !== 'GET' && method !== 'HEAD') return false
      const name = nameOf(url.split('?', 1)[0] ?? '')
      const type = fileTypeOf(name)
      const file = type && (await inTime(findFile(name)))
      if (!file) return false
      const headers = {
        'content-type': type.contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        // Weak, because the content may be compressed.
        etag: `W/"${file.hash.slice(0, 32)}"`,
        ...(type.compressed ? { vary: 'Accept-Encoding' } : {}),
      }
      if (request.headers['if-none-match'] === headers.etag) {
        response.writeHead(304, headers).end()
        return true
      }
      const isCompressed =
        type.compressed && file.content.length >= minCompressedBytes && acceptsGzip(request)
      await sendPage(response, { headers, body: file.content }, isCompressed)
      return true
    },
  }
}

/** As for Next's own responses. */
const minCompressedBytes = 1024

function nameOf(path: string): string {
  return decodeURIComponent(path.slice(prefix.length))
}

/** A lookup may wait for a read of the names that others share, and then for the file. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const limitMs = Math.max(connection().timeoutMs, minLimitMs)
  let cancel = () => {}
  const timeout = new Promise<never>((_resolve, reject) => {
    cancel = startTimer(limitMs, () => reject(new DatabaseTimeout(limitMs)))
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    cancel()
  }
}

/** The names are read at most once a second. */
const minLimitMs = 2_000
