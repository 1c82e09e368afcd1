import 'server-only'
import { execFile } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'

/** Small, because the buffers are memory of this very process. */
export const embeddedSettings = ['shared_buffers = 16MB', 'max_connections = 10']

const script = `
  import { PGlite } from '@electric-sql/pglite'
  const [folder, settings] = process.argv.slice(1)
  const database = await PGlite.create(folder, { postgresqlconf: JSON.parse(settings) })
  await database.close()
`

/**
 * Makes an empty database in `folder`, whole or not at all. In a process of its own: making one
 * takes half a gigabyte that the maker never gives back.
 */
export async function createEmbedded(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
    unfinished,
    JSON.stringify(embeddedSettings),
  ])
  renameSync(unfinished, folder)
}
