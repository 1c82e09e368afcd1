import { parseArgs } from 'node:util'
import { print, runCommand, UsageError } from '#commands/command'
import { env } from '#config/env'
import { connection, setConnection } from '#db/client'
import { migrate } from '#db/migrate/migrate'
import { findPending, modulesWithMigrations } from '#db/migrate/plan'
import { openDatabase } from '#db/open'
import { waitForTable } from '#db/wait'

type Modules = ReturnType<typeof modulesWithMigrations>

/** `npm run migrate`: applies the pending migrations, or lists them. */
export function migrateCommand(args: string[]): Promise<void> {
  return runCommand('migrating failed', async () => {
    const { list } = readArguments(args)
    const modules = modulesWithMigrations()
    setConnection(await openDatabase(env()))
    if (list) await listPending(modules)
    else await applyPending(modules)
  })
}

async function applyPending(modules: Modules): Promise<void> {
  const applied = await migrate(connection(), modules, {
    onApplied: (name, milliseconds) => print(`Applied ${name} in ${Math.round(milliseconds)} ms.`),
  })
  if (applied.length === 0) print('No migrations are pending.')
}

async function listPending(modules: Modules): Promise<void> {
  const { pending } = await waitForTable('plinth_migrations', () =>
    findPending(connection(), modules),
  )
  if (pending.length === 0) print('No migrations are pending.')
  for (const { name, rolling } of pending) print(`${name} (rolling: ${rolling})`)
}

function readArguments(args: string[]): { list: boolean } {
  try {
    return parseArgs({ args, options: { list: { type: 'boolean', default: false } } }).values
  } catch {
    throw new UsageError('Usage: npm run migrate -- [--list]')
  }
}
