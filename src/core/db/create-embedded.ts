import 'server-only'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '@/core/start-refused'

/** Small, because the buffers are memory of this very process. */
export const embeddedSettings = ['shared_buffers = 16MB', 'max_connections = 10']

const script = `
  // Whoever started this is gone: nobody waits for it any more.
  process.stdin.resume().once('end', () => process.exit(1))
  const { PGlite } = await import('@electric-sql/pglite')
  const [folder, settings] = process.argv.slice(1)
  const database = await PGlite.create(folder, { postgresqlconf: JSON.parse(settings) })
  await database.close()
  process.exit(0)
`

/**
 * Makes an empty database in `folder`, whole or not at all. In a process of its own: making one
 * takes half a gigabyte that the maker never gives back.
 */
export async function createEmbedded(folder: string): Promise<void> {
  if (existsSync(folder)) return
  // A maker that was left behind may still be writing to its own; it does not matter to ours.
  const unfinished = `${folder}.unfinished.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  const settings = JSON.stringify(embeddedSettings)
  const maker = spawn(
    process.execPath,
    ['--input-type=module', '--eval', script, unfinished, settings],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  let said = ''
  maker.stderr.on('data', (chunk) => {
    said += chunk
  })
  const end = () => maker.kill('SIGKILL')
  process.once('exit', end)
  const [code] = await once(maker, 'close')
  process.off('exit', end)
  if (code !== 0) throw new StartRefused(refusal(folder, said))
  renameSync(unfinished, folder)
  removeLeftOvers(folder)
}

function refusal(folder: string, said: string): string {
  const reason = /ENOSPC|No space left/i.test(said) ? 'no room is left on the disk' : lastLine(said)
  return `The embedded database could not be made in ${folder}: ${reason}.`
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => /error/i.test(line))
  return (lines[0] ?? 'its process ended').trim().slice(0, 200)
}

function removeLeftOvers(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.unfinished`)) continue
    try {
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
    } catch {
      // Still being written to by a maker that is about to notice that it is alone.
    }
  }
}
