import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#testing/database/database'
import { freePort, type Server, startServer } from '#testing/server/server'

const probe = fileURLToPath(new URL('../support/copies-probe.mjs', import.meta.url))

let database: Awaited<ReturnType<typeof freshDatabase>>
let server: Server
/** The paths of all scripts that the server has loaded: modules, and bundles of them. */
let files: string[]

beforeAll(async () => {
  database = await freshDatabase()
  const port = await freePort()
  server = await startServer({
    ...database.settings,
    COPIES_PROBE_PORT: String(port),
    NODE_OPTIONS: `--import=${probe}`,
  })
  // A page, an action's page and the API: each part of the process has loaded its code.
  for (const path of ['/sign-in', '/articles', '/api/auth/session', '/api/health']) {
    await fetch(server.url + path, { redirect: 'manual' })
  }
  const loaded: string[] = await (await fetch(`http://127.0.0.1:${port}`)).json()
  files = loaded
    .map((file) => (file.startsWith('file:') ? fileURLToPath(file) : file))
    .filter((file) => existsSync(file))
})

afterAll(async () => {
  await server?.stop()
  await database?.remove()
})

/** A text of one file of each package. A bundle keeps it, and so does a CommonJS copy. */
const packages = [
  ['plinth', 'x-plinth-request-'],
  ['drizzle-orm', 'drizzle:entityKind'],
  ['zod', 'Encountered Promise during synchronous parse'],
  ['hono', 'Context is not finalized. Did you forget to return a Response object'],
]

test.each(packages)('the process has one copy of %s', (name, text) => {
  const copies = files.filter((file) => readFileSync(file, 'utf8').includes(text))
  expect(copies).toEqual([expect.stringContaining(`/node_modules/${name}/`)])
})
