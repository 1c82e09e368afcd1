import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { StartupError } from '#config/env'
import { log } from '#log/log'

/** The data that a copy needs besides the files, which change while they are copied. */
export type CopyEnd = {
  /** The file that tells PostgreSQL where in its log to begin. */
  label: string
  /** In base64: `pg_control` as it is at the end. */
  control: string
  /** The first and the last file of the log that the copy needs. */
  firstSegment: string
  lastSegment: string
}

/**
 * How long the server waits for progress: during a copy it makes no checkpoints, so its log grows, and
 * serves no other copy. On a slow disk, closing a large file alone can take minutes.
 */
const stallLimitMs = 10 * 60_000

/** The database of this process, whose files another process copies. */
export type CopiedDatabase = {
  /** From now on until the end, the log contains whole pages and is not deleted. */
  startCopy(): Promise<void>
  endCopy(): Promise<CopyEnd>
  /** The other process has the log too, or has disappeared. */
  copyDone(): void
}

/**
 * Lets `npm run backup` copy the files while this process goes on, as PostgreSQL does for its own base
 * backups. The other process reads the files itself, so it needs the right to, and this process has
 * no work with it. Returns the function that stops it.
 */
export async function serveCopies(
  folder: string,
  database: CopiedDatabase,
  limitMs = stallLimitMs,
): Promise<() => Promise<void>> {
  const path = socketPath(folder)
  if (path === undefined) {
    log().warn(`${folder} is too long for a socket: npm run backup needs the server to be stopped`)
    return async () => {}
  }
  // A socket here belongs to a process that was killed: the lock of the folder is ours.
  rmSync(path, { force: true })
  let running: { socket: Socket; done: Promise<void> } | undefined
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (running) return void socket.end('busy\n')
    const done = serveCopy(socket, database, limitMs).finally(() => {
      running = undefined
      socket.end()
    })
    running = { socket, done }
  })
  const listening = await new Promise<boolean>((listen) => {
    server.once('error', (error) => {
      log().warn({ err: error }, 'npm run backup needs the server to be stopped')
      listen(false)
    })
    server.listen(path, () => listen(true))
  })
  if (listening) chmodSync(path, 0o600)
  server.unref()
  return async () => {
    server.close()
    running?.socket.destroy()
    await running?.done
  }
}

async function serveCopy(socket: Socket, database: CopiedDatabase, limitMs: number): Promise<void> {
  const next = skipProgress(socket, limitMs)
  let copying = false
  try {
    await database.startCopy()
    copying = true
    socket.write('started\n')
    if ((await next()) !== 'copied') return
    const end = await database.endCopy()
    copying = false
    socket.write(`${JSON.stringify(end)}\n`)
    if ((await next()) !== 'complete') return
    await new Promise<void>((sent) => socket.end('complete\n', sent))
  } catch (error) {
    log().error({ err: error }, 'backup failed')
    socket.write('failed\n')
  } finally {
    if (copying) await database.endCopy().catch(() => {})
    database.copyDone()
  }
}

/** The next line besides those of progress. Undefined if neither comes for `limitMs`. */
function skipProgress(socket: Socket, limitMs: number): () => Promise<string | undefined> {
  const next = readLines(socket)
  socket.on('timeout', () => {
    log().error('backup made no progress; given up')
    socket.end('stalled\n', () => socket.destroy())
  })
  return async () => {
    // Not while this process is the slow one.
    socket.setTimeout(limitMs)
    let line = await next()
    while (line === progress) line = await next()
    socket.setTimeout(0)
    return line
  }
}

const progress = 'copying'

type Copy = {
  /** `onProgress` is called for each part. */
  copyFiles(onProgress: () => void): Promise<void>
  copyLog(end: CopyEnd, onProgress: () => void): Promise<void>
}

/** False if no process responds, so that the files do not change. */
export async function copyFromProcess(
  folder: string,
  copy: Copy,
  limitMs = stallLimitMs,
): Promise<boolean> {
  const socket = await open(folder)
  if (!socket) return false
  const next = readLines(socket)
  // Often enough that some may be late.
  const onProgress = progressReport(socket, limitMs / 60)
  try {
    requireSuccess(await next())
    await copy.copyFiles(onProgress)
    socket.write('copied\n')
    await copy.copyLog(JSON.parse(requireSuccess(await next())), onProgress)
    socket.write('complete\n')
    // A process that stops deletes parts of its log, so it must still be there.
    requireSuccess(await next())
    return true
  } finally {
    socket.destroy()
  }
}

function progressReport(socket: Socket, intervalMs: number): () => void {
  let lastAt = performance.now()
  return () => {
    if (performance.now() < lastAt + intervalMs) return
    lastAt = performance.now()
    socket.write(`${progress}\n`)
  }
}

function requireSuccess(line: string | undefined): string {
  if (line === undefined) {
    throw new StartupError('The server was stopped during the backup. Run it again.')
  }
  if (line === 'busy') throw new StartupError('Another backup is running.')
  if (line === 'stalled') {
    throw new StartupError('The server gave the backup up: it made no progress. Run it again.')
  }
  if (line === 'failed') throw new StartupError('The server could not make a backup. See its log.')
  return line
}

function open(folder: string): Promise<Socket | undefined> {
  const path = socketPath(folder)
  if (path === undefined) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(error)
    })
  })
}

/** Undefined when the other side has closed the connection. */
function readLines(socket: Socket): () => Promise<string | undefined> {
  const reader = createInterface({ input: socket })
  // It notices the end of its input only, not that it was destroyed.
  socket.once('close', () => reader.close())
  const lines = reader[Symbol.asyncIterator]()
  return async () => {
    const { value, done } = await lines.next()
    return done ? undefined : value
  }
}

/** The limit of macOS, which is lower than that of Linux. A longer path would be cut off. */
const maxPathBytes = 103

function socketPath(folder: string): string | undefined {
  const path = resolve(folder, 'backup.sock')
  const paths = [path, relative(process.cwd(), path)]
  return paths.find((candidate) => Buffer.byteLength(candidate) <= maxPathBytes)
}
