import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '#config/env'
import { durableSettings, syncFolder, syncPath } from '#db/embedded/durable-files'

/**
 * Small, because PGlite's buffers are memory of this process. Changes are notifications: there is one
 * process, so nothing has to be logged for others.
 */
export const embeddedSettings = [
  'shared_buffers = 16MB',
  'max_connections = 10',
  "plinth.notify = 'on'",
  ...durableSettings,
]

const script = `
  // The parent process has died.
  process.stdin.resume().once('end', () => process.exit(1))
  const { PGlite } = await import('@electric-sql/pglite')
  const [folder, settings] = process.argv.slice(1)
  const database = await PGlite.create(folder, { postgresqlconf: JSON.parse(settings) })
  await database.close()
  process.exit(0)
`

/**
 * Creates an empty database in `folder`, completely or not at all, in a child process: it takes half
 * a gigabyte of memory that is never freed.
 */
export async function createEmbedded(folder: string): Promise<void> {
  if (existsSync(folder)) return
  // An orphaned child of an earlier start may still write to its own folder.
  const partial = `${folder}.partial.${process.pid}`
  rmSync(partial, { recursive: true, force: true })
  // PGlite makes every file writable by all users.
  mkdirSync(partial, { mode: 0o700 })
  const settings = JSON.stringify(embeddedSettings)
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', script, partial, settings],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const [code] = await once(child, 'close')
  process.off('exit', kill)
  if (code !== 0) throw new StartupError(errorMessage(folder, output))
  syncFolder(partial)
  renameSync(partial, folder)
  syncPath(dirname(folder))
  removePartial(folder)
}

function errorMessage(folder: string, output: string): string {
  const reason = /ENOSPC|No space left/i.test(output) ? 'the disk is full' : errorLine(output)
  return `The embedded database could not be created in ${folder}: ${reason}.`
}

function errorLine(text: string): string {
  const lines = text.split('\n').filter((line) => /error/i.test(line))
  return (lines[0] ?? 'its process exited').trim().slice(0, 200)
}

function removePartial(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.partial`)) continue
    try {
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
    } catch {
      // An orphaned child still writes to it and is about to exit.
    }
  }
}
