import 'server-only'
import { randomUUID } from 'node:crypto'
import { isStartupError, StartupError } from '@/core/config/env'
import type { Connection, Execute } from '@/core/db/client'
import { log } from '@/core/log/log'

/** How long after the death of its holder another process takes the lease over. */
const leaseSeconds = 15
const renewIntervalMs = 3_000

/** Without the database there is nothing to migrate, and a statement may never be answered. */
const maxFailures = 20

const table = `
  create table if not exists plinth_migration_lease (
    only_row boolean primary key default true check (only_row),
    holder uuid not null,
    expires_at timestamptz(3) not null
  )`

const expiry = `clock_timestamp() + interval '${leaseSeconds} seconds'`

/**
 * The right to migrate: one row, with a holder and an expiry by the clock of the database. It needs no
 * session of the database, so it works through a pooler in transaction mode. A transaction locks the
 * row; while it runs, no other process can take the lease over.
 */
export class Lease {
  readonly #connection: Connection
  readonly #holder = randomUUID()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async exists(): Promise<boolean> {
    const { rows } = await this.#connection.query(
      `select 1 where to_regclass('plinth_migration_lease') is not null`,
      [],
    )
    return rows.length > 0
  }

  /** Creates the table, which does not exist in databases of earlier versions, and takes the lease. */
  async create(execute: Execute): Promise<boolean> {
    await execute(table)
    const rows = await execute(
      `insert into plinth_migration_lease (holder, expires_at) values ('${this.#holder}', ${expiry})
       on conflict do nothing returning holder`,
    )
    return rows.length > 0
  }

  /** Whether it is ours now: it was free, or its holder has not renewed it in time. */
  async take(): Promise<boolean> {
    const { rows } = await this.#connection.query(
      `update plinth_migration_lease set holder = $1::uuid, expires_at = ${expiry}
       where only_row in (
         select only_row from plinth_migration_lease where expires_at < clock_timestamp()
         for update skip locked
       ) returning holder`,
      [this.#holder],
    )
    return rows.length > 0
  }

  /** Until the end of the transaction. Fails if another process has taken it over. */
  async lock(execute: Execute): Promise<void> {
    const rows = await execute(
      `select 1 from plinth_migration_lease where holder = '${this.#holder}' for update`,
    )
    if (rows.length === 0) throw takenOver()
  }

  /** Before the transaction commits, which may have taken longer than the lease. */
  async extend(execute: Execute): Promise<void> {
    await execute(`update plinth_migration_lease set expires_at = ${expiry}`)
  }

  /** Renews it while the work runs, which fails as soon as the lease is lost. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    let renewing: NodeJS.Timeout | undefined
    const lost = new Promise<never>((_, reject) => {
      let failures = 0
      const renewed = () => {
        failures = 0
      }
      const failed = (error: unknown) => {
        failures += 1
        if (isStartupError(error) || failures === maxFailures) reject(error)
      }
      renewing = setInterval(() => this.renew().then(renewed, failed), renewIntervalMs)
    })
    try {
      return await Promise.race([work(), lost])
    } finally {
      clearInterval(renewing)
      await this.#release()
    }
  }

  /** Before a statement without a transaction. */
  async renew(): Promise<void> {
    const { rows } = await this.#connection.query(
      `update plinth_migration_lease set expires_at = ${expiry}
       where only_row in (
         select only_row from plinth_migration_lease where holder = $1::uuid for update skip locked
       ) returning holder`,
      [this.#holder],
    )
    if (rows.length > 0) return
    // One of our own transactions has locked it.
    const { rows: held } = await this.#connection.query(
      'select 1 from plinth_migration_lease where holder = $1::uuid',
      [this.#holder],
    )
    if (held.length === 0) throw takenOver()
  }

  async #release(): Promise<void> {
    await this.#connection
      .query(`update plinth_migration_lease set expires_at = '-infinity' where holder = $1::uuid`, [
        this.#holder,
      ])
      .catch((error: unknown) => log().debug({ err: error }, 'migration lease not released'))
  }
}

function takenOver(): StartupError {
  return new StartupError(
    'Another process has taken over the migrations, because this one did not respond in time. It continues them.',
  )
}
