import 'server-only'
import { type Env, StartupError } from '@/core/config/env'
import type { Connection } from '@/core/db/client'
import { migrate } from '@/core/db/migrate/migrate'
import type { Installed } from '@/core/db/migrate/migration-files'
import { findPending } from '@/core/db/migrate/plan'
import { log } from '@/core/log/log'

/** Applies what is pending. With MIGRATE=manual it refuses to start instead. */
export async function migrateAtStart(
  connection: Connection,
  modules: Installed,
  { MIGRATE }: Pick<Env, 'MIGRATE'>,
): Promise<void> {
  if (MIGRATE === 'manual') return requireMigrated(connection, modules)
  await migrate(connection, modules, {
    onApplied: (name) => log().info(`applied migration ${name}`),
  })
}

async function requireMigrated(connection: Connection, modules: Installed): Promise<void> {
  const { pending } = await findPending(connection, modules)
  if (pending.length === 0) return
  const names = pending.map(({ name }) => name).join(', ')
  throw new StartupError(
    `Migrations are pending: ${names}. MIGRATE is manual, so they are not applied at startup. Run npm run migrate, or node dist/migrate.js.`,
  )
}
