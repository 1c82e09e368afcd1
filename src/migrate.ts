import { parseArgs } from 'node:util'
import nextEnv from '@next/env'
import { env, StartupError } from 'plinth/config/env'
import { closeConnection, connection, setConnection } from 'plinth/db/client'
import { migrate } from 'plinth/db/migrate/migrate'
import { findPending } from 'plinth/db/migrate/plan'
import { openDatabase } from 'plinth/db/open'
import { waitForTable } from 'plinth/db/wait'
import { flushLog, log } from 'plinth/log/log'
import { explainStartupError } from 'plinth/server/console'
import { modules } from '@/modules'

/** `npm run migrate`: applies the pending migrations, or lists them. */

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

let usageError = false

try {
  const { list } = readArguments(process.argv.slice(2))
  setConnection(await openDatabase(env()))
  if (list) await listPending()
  else await applyPending()
  await closeConnection()
} catch (error) {
  const message = explainStartupError(error)
  if (message === undefined) log().fatal({ err: error }, 'migrating failed')
  else process.stderr.write(`${message}\n`)
  await closeConnection()
  flushLog()
  // A statement that was never answered would keep the process alive.
  process.exit(usageError ? 2 : 1)
}
flushLog()

async function applyPending(): Promise<void> {
  const applied = await migrate(connection(), modules, {
    onApplied: (name, milliseconds) => print(`Applied ${name} in ${Math.round(milliseconds)} ms.`),
  })
  if (applied.length === 0) print('No migrations are pending.')
}

async function listPending(): Promise<void> {
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
    usageError = true
    throw new StartupError('Usage: npm run migrate -- [--list]')
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
