import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { prepareRestoredDatabase } from '#auth/accounts/users'
import { print, runCommand, UsageError } from '#commands/command'
import { env, isStartupError, StartupError } from '#config/env'
import { closeConnection, connection, setConnection } from '#db/client'
import { restoreBackup } from '#db/embedded/backup-file'
import { openEmbedded } from '#db/embedded/embedded'
import { migrate } from '#db/migrate/migrate'
import { findPending } from '#db/migrate/plan'
import { openDatabase } from '#db/open'
import { log } from '#log/log'
import type { Module } from '#modules/module'
import { loadApp } from '#server/load-app'

type Modules = readonly Module[]

/** `npm run restore`: prepares a restored database for use. With a file it restores that one first. */
export function restoreCommand(args: string[]): Promise<void> {
  return runCommand('restoring failed', async () => {
    const file = readFile(args)
    const modules = await loadApp()
    if (file === undefined) await prepareInPlace(modules)
    else await restoreEmbedded(resolve(file), modules)
  })
}

async function restoreEmbedded(file: string, modules: Modules): Promise<void> {
  const { DATA_DIR, DATABASE_URL } = env()
  if (DATABASE_URL) {
    throw new StartupError(
      'DATABASE_URL is set, and a file restores the embedded database only. Restore a dump with pg_restore, then run npm run restore without a file.',
    )
  }
  const { createdAt, previous } = await restoreBackup(DATA_DIR, file, async (folder) => {
    setConnection(await openCopy(folder, file))
    await migrate(connection(), modules, { onApplied: (name) => print(`Applied ${name}.`) })
    await prepare(modules)
  })
  print(`Restored the database as it was at ${createdAt}.`)
  if (previous) print(`The previous database is in ${previous}. Delete it when you are done.`)
}

async function openCopy(folder: string, file: string) {
  try {
    return await openEmbedded(folder)
  } catch (error) {
    if (isStartupError(error)) throw error
    log().debug({ err: error }, 'the copy cannot be opened')
    throw new StartupError(
      `The database in ${file} cannot be opened. It may be of another version of this app. Nothing was changed.`,
    )
  }
}

/** A database that was restored by other means: pg_restore, a base backup, a copy of the disk. */
async function prepareInPlace(modules: Modules): Promise<void> {
  const { DATA_DIR, DATABASE_URL } = env()
  if (!DATABASE_URL && !existsSync(join(DATA_DIR, 'database'))) {
    throw new StartupError(
      `There is no embedded database in ${DATA_DIR}. Name a file: npm run restore -- <file>`,
    )
  }
  setConnection(await openDatabase(env()))
  const { pending, applied } = await findPending(connection(), modules)
  if (applied === 0) {
    throw new StartupError('The database has no tables of this app. Restore the dump first.')
  }
  if (pending.length > 0) {
    const names = pending.map(({ name }) => name).join(', ')
    throw new StartupError(
      `Migrations are pending: ${names}. Run npm run migrate first, or node node_modules/plinth migrate.`,
    )
  }
  await prepare(modules)
}

async function prepare(modules: Modules): Promise<void> {
  const { sessions, links, mail } = await prepareRestoredDatabase(modules)
  await closeConnection()
  print(`Ended all sessions: ${sessions}.`)
  print(`Deleted links and unfinished sign-ins: ${links}.`)
  print(`Deleted queued mail: ${mail}.`)
  print('Emptied the change log.')
}

function readFile([file, ...rest]: string[]): string | undefined {
  if (rest.length === 0 && !file?.startsWith('-')) return file
  throw new UsageError('Usage: npm run restore -- [file]')
}
