import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { StartRefused } from '@/core/start-refused'

type Holder = { pid: number; host: string; born: string | null }

/**
 * One process for one embedded database: two would each acknowledge writes that the other loses.
 * Returns what gives the lock back. A lock whose process is gone is taken over.
 */
export function takeLock(path: string): () => void {
  const self: Holder = { pid: process.pid, host: hostname(), born: birthOf(process.pid) }
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

/** A link appears whole or not at all, so nobody ever reads a half-written holder. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Only one takes over at a time, and what it removes it has looked at while nobody else could
 * take over: a lock that is alive is never touched, not even for a moment.
 */
function takeOver(path: string, mine: string): void {
  refuseIfAlive(read(path), path)
  const door = `${path}.takeover`
  if (!linked(mine, door)) {
    // Somebody else is at it, or died at it; either way there is nothing to do but look again.
    const holder = read(door)
    if (holder !== undefined && !aliveHere(holder)) rmSync(door, { force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    return
  }
  try {
    refuseIfAlive(read(path), path)
    rmSync(path, { force: true })
  } finally {
    rmSync(door, { force: true })
  }
}

function refuseIfAlive(content: string | undefined, path: string): void {
  const holder = content === undefined ? undefined : parse(content)
  if (!holder) return
  if (holder.host !== hostname()) {
    throw new StartRefused(
      `The embedded database is locked by process ${holder.pid} on ${holder.host}. If that machine or container is gone, delete ${path} and start again.`,
    )
  }
  if (isAlive(holder)) {
    throw new StartRefused(
      `The embedded database is in use by process ${holder.pid}. Stop it, or give this one a DATA_DIR of its own.`,
    )
  }
}

function aliveHere(content: string): boolean {
  const holder = parse(content)
  return holder !== undefined && (holder.host !== hostname() || isAlive(holder))
}

function isAlive({ pid, born }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  // Numbers are used again, in containers at every start: the same number born later is another.
  return born === null || born === birthOf(pid)
}

/** When the process began, in ticks since boot; null where the system does not tell. */
function birthOf(pid: number): string | null {
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
    const { pid, host, born } = JSON.parse(content)
    return Number.isInteger(pid) ? { pid, host, born: born ?? null } : undefined
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
