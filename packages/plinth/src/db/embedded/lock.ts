import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { StartupError } from '#config/env'

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
