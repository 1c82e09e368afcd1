import { sql } from 'drizzle-orm'
import { connection, type Database } from '#db/client'
import { DatabaseTimeout, isDiskFull, isReadOnly, sqlState } from '#db/errors'
import { runOutsideRequest } from '#log/current-request'
import { log } from '#log/log'

const intervalMs = 1000
const timeoutMs = 1000

type Check = {
  healthy: boolean
  /** The database responds, but it may be read-only or its disk full. */
  reachable: boolean
  at: number
  running: Promise<Check> | undefined
  /** For the log, which has a line for each change only. */
  reported: boolean
  /** When a session lookup last returned. */
  respondedAt: number
}

const lastCheck: Check = {
  healthy: false,
  reachable: false,
  at: Number.NEGATIVE_INFINITY,
  running: undefined,
  reported: true,
  respondedAt: Number.NEGATIVE_INFINITY,
}

/**
 * Whether the database responds and takes writes. Checked at most once a second, however many
 * callers there are.
 */
export function isHealthy(now = performance.now()): boolean | Promise<boolean> {
  return lastResult('healthy', now)
}

/** Whether the database responds: enough to know that a caller has no session. */
export function isReachable(now = performance.now()): boolean | Promise<boolean> {
  const { at, respondedAt } = lastCheck
  return (respondedAt > at && now - respondedAt < intervalMs) || lastResult('reachable', now)
}

/**
 * A lookup that returned proves as much as a check. One that waited for a lock returns after a check
 * has failed behind it.
 */
export function noteResponse(): void {
  lastCheck.respondedAt = performance.now()
}

/**
 * Responds immediately if the last check is recent, and after the next check otherwise. False if the
 * last check is recent and failed.
 */
export function whenHealthy(now: number, respond: () => void, fallBack: () => void): boolean {
  return whenTrue(isHealthy(now), respond, fallBack)
}

export function whenReachable(now: number, respond: () => void, fallBack: () => void): boolean {
  return whenTrue(isReachable(now), respond, fallBack)
}

function whenTrue(
  result: boolean | Promise<boolean>,
  respond: () => void,
  fallBack: () => void,
): boolean {
  if (result === true) respond()
  else if (result === false) return false
  else result.then((later) => (later ? respond() : fallBack()))
  return true
}

function lastResult(name: 'healthy' | 'reachable', now: number): boolean | Promise<boolean> {
  if (now - lastCheck.at < intervalMs) return lastCheck[name]
  lastCheck.running ??= runOutsideRequest(check)
  return lastCheck.running.then((done) => done[name])
}

async function check(): Promise<Check> {
  const error = await failureWithin(timeoutMs)
  const healthy = error === undefined
  if (healthy !== lastCheck.reported) {
    lastCheck.reported = healthy
    if (healthy) log().info('healthy again')
    else log().error({ err: error }, 'unhealthy')
  }
  const reachable = healthy || refusesWrites(error)
  const at = performance.now()
  return Object.assign(lastCheck, { healthy, reachable, at, running: undefined })
}

function refusesWrites(error: unknown): boolean {
  return isDiskFull(error) || isReadOnly(error)
}

async function failureWithin(limitMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new DatabaseTimeout(limitMs)), limitMs)
  })
  const failure = ask().then(
    () => undefined,
    (error: unknown) => error ?? new Error('unknown'),
  )
  const error = await Promise.race([failure, timeout])
  clearTimeout(timer)
  return error
}

async function ask(): Promise<void> {
  const { ping, database } = connection()
  await ping()
  await checkDisk(database)
}

export const disk = { full: false }

/** Whether the last write that needed space failed. */
export function isDiskFullNow(): boolean {
  return disk.full
}

/** Called with every failed statement: a database whose disk is full still answers reads. */
export function noteDiskFull(error: unknown): void {
  if (isDiskFull(error)) disk.full = true
}

/** Only after a write has failed: half a megabyte that is dropped again. Throws if it fails. */
async function checkDisk(database: Database): Promise<void> {
  if (!disk.full) return
  await database.transaction((tx) => tx.execute(write)).catch(ignoreMissingPermission)
  disk.full = false
}

const write = sql.raw(`create temporary table plinth_disk_check on commit drop
  as select md5(number::text) from generate_series(1, 8000) as number`)

/** Without the right to write a temporary table, the next request finds out. */
function ignoreMissingPermission(error: unknown): void {
  if (sqlState(error) !== '42501') throw error
}
