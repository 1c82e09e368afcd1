import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '@/core/db/client'
import { applyMigration } from '@/core/db/migrate/apply'
import { applyFirstMigration } from '@/core/db/migrate/first-migration'
import { Lease } from '@/core/db/migrate/lease'
import {
  type Installed,
  type Migration,
  nameOf,
  readMigrations,
} from '@/core/db/migrate/migration-files'
import { readPlan } from '@/core/db/migrate/plan'
import { log } from '@/core/log/log'

type Options = {
  root?: string
  onApplied?: (name: string, milliseconds: number) => void
  /** How long a migration tries to get its locks. */
  lockWaitMs?: number
}

type Run = Required<Omit<Options, 'root'>> & { connection: Connection; lease: Lease }

const waitIntervalMs = 500

/**
 * Applies the pending migrations of core and of every installed module, each on its own. If several
 * processes start together, one migrates and the others wait. After an error the next run continues.
 */
export async function migrate(
  connection: Connection,
  modules: Installed,
  { root = process.cwd(), onApplied = () => {}, lockWaitMs = 120_000 }: Options = {},
): Promise<string[]> {
  const available = readMigrations(modules, root)
  const applied: string[] = []
  const lease = new Lease(connection)
  const run: Run = {
    connection,
    lease,
    lockWaitMs,
    onApplied(name, milliseconds) {
      applied.push(name)
      onApplied(name, milliseconds)
    },
  }
  if (!(await takeTurn(run, available))) return applied
  await lease.hold(async () => {
    const { pending } = await readPlan(connection, available)
    for (const migration of pending) {
      await timed(run, migration, () => applyMigration(run, migration))
    }
  })
  return applied
}

/** Waits until the lease is held. False if nothing is pending any more. */
async function takeTurn(run: Run, available: Migration[]): Promise<boolean> {
  for (let waits = 0; ; waits += 1) {
    const { pending, hasTables } = await readPlan(run.connection, available)
    const [first] = pending
    if (!first) return false
    if (hasTables.lease && (await run.lease.take())) return true
    if (!hasTables.lease && (await createLease(run, hasTables.migrations, first))) return true
    if (waits === 0) log().info('waiting for another process that migrates')
    await pause(waitIntervalMs)
  }
}

async function createLease(run: Run, hasMigrations: boolean, first: Migration): Promise<boolean> {
  const { connection, lease } = run
  try {
    if (hasMigrations) return await connection.transact((execute) => lease.create(execute))
    await timed(run, first, () => applyFirstMigration(connection, lease, first))
    return true
  } catch (error) {
    // Of concurrent first starts, all but one find that its tables exist already.
    if (await lease.exists()) return false
    throw error
  }
}

async function timed(run: Run, migration: Migration, apply: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  await apply()
  run.onApplied(nameOf(migration), performance.now() - startedAt)
}
