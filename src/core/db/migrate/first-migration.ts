import 'server-only'
import type { Connection } from '@/core/db/client'
import { record } from '@/core/db/migrate/apply'
import { explained } from '@/core/db/migrate/explain'
import type { Lease } from '@/core/db/migrate/lease'
import { type Migration, nameOf } from '@/core/db/migrate/migration-files'

const table = `
  create table plinth_migrations (
    owner text not null,
    name text not null,
    hash text not null,
    applied_at timestamptz(3) not null default now(),
    primary key (owner, name)
  )`

const first = { isFirst: true, outcome: 'Nothing was changed.' }

/** With the tables of the migrator, in one transaction: a database of another app is not changed. */
export async function applyFirstMigration(
  connection: Connection,
  lease: Lease,
  migration: Migration,
): Promise<void> {
  await connection.transact(async (execute) => {
    await explained({ ...first, name: 'core' }, async () => {
      await execute(table)
      await lease.create(execute)
    })
    await explained({ ...first, name: nameOf(migration) }, () => execute(migration.statements))
    await record(execute, migration)
    await lease.extend(execute)
  })
}
