import { type Connection, connection } from '#db/client'
import { isDatabaseUnavailable } from '#db/errors'
import { parseSnapshot, type Snapshot, sees } from '#db/snapshot'
import { runOutsideRequest } from '#log/current-request'
import { log } from '#log/log'

/** Shorter than the promised 100 ms, to leave time for the work after the check. */
const leaseMs = 90
/** Leaves 40 ms for the round trip and for a busy event loop. */
const pollIntervalMs = 50
const idleAfterMs = 1_000
const failedPauseMs = 250

/** A poll that comes later than this after the one before verifies that nothing was swept between. */
const maxGapMs = 200
const verifyIntervalMs = 10_000

/** A transaction that stays open would make each poll read every change since it began. */
const maxSpan = 1_000n

/** A caller waits for it after its commit. */
const catchUpTimeoutMs = 400

/** With more changes than this at once it is cheaper to forget everything. */
const maxChanges = 1_000

/** With more than this the planner would plan each poll anew. */
const maxNewChanges = 100

export type ChangeReader = {
  apply(change: string): void
  /** Changes may have been missed. */
  reset(): void
}

type Query = Connection['queryPipelined']

type Last = {
  snapshot: Snapshot
  server: string
  /** The connection that responded; undefined if each statement may reach another server. */
  connectionId: number | undefined
  verifiedAt: number
}

/**
 * Reads the change log of PostgreSQL. A poll returns every change that was committed between its
 * snapshot and that of the poll before, however late the commit. So when it returns, every change
 * committed before it was sent is known, and what is cached can be trusted for a while from then on.
 * A process that is idle does not poll.
 *
 * Most polls read new rows and nothing else: on one connection the server and the database stay the
 * same, and no sweep reaches what the poll before has seen. The others also verify that.
 */
export class ChangeLog {
  readonly #reader: ChangeReader
  readonly #query: Query
  #last: Last | undefined
  #currentFrom = Number.NEGATIVE_INFINITY
  #usedAt = Number.NEGATIVE_INFINITY
  #running = false
  #ended = false
  #warned = false
  #sent: Promise<boolean> = Promise.resolve(true)
  #next: Promise<boolean> | undefined

  constructor(
    reader: ChangeReader,
    query: Query = (...args) => connection().queryPipelined(...args),
  ) {
    this.#reader = reader
    this.#query = query
  }

  /** Whether every change up to a moment ago is known. Asking keeps the polls running. */
  isCurrent(now: number): boolean {
    this.#usedAt = now
    if (!this.#running && !this.#ended) runOutsideRequest(() => this.#run())
    return now - this.#currentFrom < leaseMs
  }

  /** How long ago the last poll was sent that returned, at most since the start. Undefined if idle. */
  ageMs(now: number): number | undefined {
    return this.#running ? Math.min(now, now - this.#currentFrom) : undefined
  }

  /** Resolves true once every change committed by now is known, false if that takes too long. */
  async catchUp(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, catchUpTimeoutMs, false)
    })
    const known = await Promise.race([runOutsideRequest(() => this.#poll()), timeout])
    clearTimeout(timer)
    return known
  }

  end(): void {
    this.#ended = true
    this.#usedAt = Number.NEGATIVE_INFINITY
    this.#currentFrom = Number.NEGATIVE_INFINITY
  }

  async #run(): Promise<void> {
    this.#running = true
    while (performance.now() - this.#usedAt < idleAfterMs) {
      const startedAt = performance.now()
      const intervalMs = (await this.#poll()) ? pollIntervalMs : failedPauseMs
      await pause(Math.max(1, intervalMs - (performance.now() - startedAt)))
    }
    this.#running = false
  }

  /** One at a time. Callers share the one that is sent next. */
  #poll(): Promise<boolean> {
    this.#next ??= this.#sent.then(() => {
      this.#next = undefined
      this.#sent = this.#send()
      return this.#sent
    })
    return this.#next
  }

  async #send(): Promise<boolean> {
    const sentAt = performance.now()
    try {
      const last = this.#followable(sentAt)
      const isRead = (last && (await this.#readNew(last))) || (await this.#readVerified(sentAt))
      if (!isRead || this.#ended) return this.#forget()
      this.#currentFrom = sentAt
      return true
    } catch (error) {
      this.#warn(error)
      return this.#forget()
    }
  }

  /** The last poll, if a poll for new rows alone misses nothing. */
  #followable(now: number): Last | undefined {
    const last = this.#last
    const isFollowable =
      last?.connectionId !== undefined &&
      now - this.#currentFrom < maxGapMs &&
      now - last.verifiedAt < verifyIntervalMs &&
      last.snapshot.xmax - last.snapshot.xmin <= maxSpan
    return isFollowable ? last : undefined
  }

  /**
   * False if another connection responded, or with more rows than it may read. Without new rows the
   * last snapshot stays good.
   */
  async #readNew(last: Last): Promise<boolean> {
    const result = await this.#query(selectNew, [String(last.snapshot.xmin)])
    const rows = result.rows as readonly Row[]
    if (result.connectionId !== last.connectionId || rows.length > maxNewChanges) return false
    const [first] = rows
    if (!first) return true
    this.#last = { ...last, snapshot: parseSnapshot(first.snapshot) }
    const unseen = rows.filter(({ xid }) => !sees(last.snapshot, BigInt(xid)))
    for (const { change } of unseen) this.#reader.apply(change)
    return true
  }

  /** False if a standby responded. */
  async #readVerified(verifiedAt: number): Promise<boolean> {
    const last = this.#last
    const { rows, connectionId } = await this.#query(selectVerified, [last?.snapshot.text ?? null])
    const [poll] = rows as readonly Poll[]
    if (!poll || poll.standby) return false
    const { server, changed } = poll
    const snapshot = parseSnapshot(poll.snapshot)
    // The log of a restored database may have numbers of another server, until it is prepared. The
    // first poll cannot tell.
    const followed = poll.swept === false ? connectionId : undefined
    this.#last = { snapshot, server, connectionId: followed, verifiedAt }
    const changes = changed === '' ? [] : changed.split(' ')
    // After a failover or a restore the numbers of transactions may begin again.
    const continues = last?.server === server && last.snapshot.xmax <= snapshot.xmax
    if (!continues || poll.swept || changes.length > maxChanges) this.#reader.reset()
    else for (const change of changes) this.#reader.apply(change)
    return true
  }

  /** Once: without the log every request queries the database. */
  #warn(error: unknown): void {
    if (this.#warned || isDatabaseUnavailable(error)) return
    this.#warned = true
    log().warn({ err: error }, 'the change log cannot be read; sessions are not cached')
  }

  /** The next poll may reach another server. */
  #forget(): false {
    this.#last = undefined
    return false
  }
}

type Row = { change: string; xid: string; snapshot: string }

/**
 * The snapshot is that of the rows, because it is one statement. The upper limit, which no number
 * reaches, makes the planner expect few rows: otherwise it reads the whole table.
 */
const selectNew = `select change, xid::text as xid, pg_current_snapshot()::text as snapshot
  from change_log where xid >= $1::xid8 and xid < '18446744073709551615'::xid8
  limit ${maxNewChanges + 1}`

type Poll = {
  snapshot: string
  /** A standby may not have received what the primary has committed. */
  standby: boolean
  /** Differs from server to server, after each restart, and from database to database. */
  server: string
  /** Changes that the last snapshot did not see may have been deleted. */
  swept: boolean | null
  /** Separated by spaces. */
  changed: string
}

/**
 * A change that the last snapshot did not see has a higher xid than all it knew of, or was running then.
 * The limits keep to the index.
 */
const selectVerified = `select pg_current_snapshot()::text as snapshot,
  pg_is_in_recovery() as standby,
  pg_postmaster_start_time()::text || (
    select oid from pg_database where datname = current_database()
  ) as server,
  (select swept_below > pg_snapshot_xmin($1::pg_snapshot) from change_log_sweep) as swept,
  array_to_string(array(
    (select change from change_log where xid >= pg_snapshot_xmax($1::pg_snapshot)
      order by xid limit ${maxChanges + 1})
    union all
    (select change from change_log where xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))
      order by xid limit ${maxChanges + 1})
  ), ' ') as changed`

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref())
}
