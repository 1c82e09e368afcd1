import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
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

type Holder = { pid: number; host: string; startedAt: string | null }

/**
 * One process per embedded database: with two, each would acknowledge writes that the other loses.
 * Returns the function that releases the lock. A lock of a dead process is taken over.
 */
export function takeLock(path: string): () => void {
  const self: Holder = { pid: process.pid, host: hostname(), startedAt: startTime(process.pid) }
  const mine = `${path}.${process.pid}`
  const content = JSON.stringify(self)
  writeFileSync(mine, content)
  try {
    while (!linked(mine, path)) takeOver(path, mine)
  } finally {
    rmSync(mine, { force: true })
  }
  const release = () => {
    process.off('exit', release)
    if (read(path) === content) rmSync(path, { force: true })
  }
  process.on('exit', release)
  return release
}

/** A hard link appears atomically, so no process reads a partial file. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Only one process takes over at a time, and checks the lock again before it removes it. */
function takeOver(path: string, mine: string): void {
  refuseIfAlive(read(path), path)
  const takeover = `${path}.takeover`
  if (!linked(mine, takeover)) {
    // Another process is taking over, or died while doing so.
    const holder = read(takeover)
    if (holder !== undefined && !aliveHere(holder)) rmSync(takeover, { force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    return
  }
  try {
    refuseIfAlive(read(path), path)
    rmSync(path, { force: true })
  } finally {
    rmSync(takeover, { force: true })
  }
}

function refuseIfAlive(content: string | undefined, path: string): void {
  const holder = content === undefined ? undefined : parse(content)
  if (!holder) return
  if (holder.host !== hostname()) {
    throw new StartupError(
      `The embedded database is locked by process ${holder.pid} on ${holder.host}. If that machine or container is gone, delete ${path} and start again.`,
    )
  }
  if (isAlive(holder)) {
    throw new StartupError(
      `The embedded database is in use by process ${holder.pid}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
}

function aliveHere(content: string): boolean {
  const holder = parse(content)
  return holder !== undefined && (holder.host !== hostname() || isAlive(holder))
}

function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  // Process ids are reused, in containers at every start.
  return startedAt === null || startedAt === startTime(pid)
}

/** In ticks since boot; null where /proc is missing. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return null
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function parse(content: string): Holder | undefined {
  try {
    const { pid, host, startedAt } = JSON.parse(content)
    return Number.isInteger(pid) ? { pid, host, startedAt: startedAt ?? null } : undefined
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
