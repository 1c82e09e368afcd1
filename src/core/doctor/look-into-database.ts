import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Connection } from '@/core/db/client'
import { openEmbedded } from '@/core/db/embedded'
import { openPostgres } from '@/core/db/postgres'
import { checkAccounts } from '@/core/doctor/accounts-check'
import { checkClock } from '@/core/doctor/clock-check'
import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'
import { checkMigrations } from '@/core/doctor/migrations-check'
import { explainStart } from '@/core/host/explain'
import { isStartRefused } from '@/core/start-refused'

const { error, warning, fine } = reporter('database')

type Installed = readonly { id: string }[]

/** Opened as the server opens it, once for all that is to be seen in it; nothing is written. */
export async function lookIntoDatabase(facts: Facts, modules: Installed): Promise<Finding[]> {
  const { settings, folder } = facts
  const data = resolve(folder, settings.DATA_DIR)
  if (settings.embedded && !existsSync(join(data, 'database'))) {
    return [fine(`There is none in ${settings.DATA_DIR} yet: the first start makes it.`)]
  }
  if (!settings.embedded && !settings.DATABASE_URL) {
    return [warning('It was not looked at.', 'Correct DATABASE_URL, and run this again.')]
  }
  let connection: Connection | undefined
  try {
    connection = settings.embedded ? await openEmbedded(data) : await openReal(facts)
    const migrations = await checkMigrations(connection, modules, folder)
    const kind = [kindOf(facts), ...migrations, ...(await checkClock(connection))]
    const ready = migrations.every(({ level }) => level === 'fine')
    return [...kind, ...(ready ? await checkAccounts(connection.database, facts) : [])]
  } catch (thrown) {
    return [settings.embedded ? notOpened(thrown) : notReached(thrown)]
  } finally {
    await connection?.close()
  }
}

async function openReal({ settings }: Facts): Promise<Connection> {
  const { DATABASE_URL = '', DATABASE_DIRECT_URL } = settings
  const opened = openPostgres({ url: DATABASE_URL, directUrl: DATABASE_DIRECT_URL, poolSize: 1 })
  try {
    await opened.ping()
    return opened
  } catch (reason) {
    await opened.close()
    throw reason
  }
}

function kindOf({ settings, exposed }: Facts): Finding {
  if (!settings.embedded) return fine('PostgreSQL answers.')
  if (!exposed) return fine('The embedded database, for this machine alone.')
  return warning(
    'The embedded database serves others: a machine that loses power may lose what was written.',
    'Set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** Whoever holds the lock keeps it: two processes would each lose what the other wrote. */
function notOpened(thrown: unknown): Finding {
  const reason = explainStart(thrown) ?? reasonOf(thrown)
  if (!isStartRefused(thrown)) {
    return error(`It cannot be opened: ${reason}`, 'See who owns DATA_DIR, and what is in it.')
  }
  const [holder] = reason.split(/(?<=\.) /)
  return warning(
    `${holder} Accounts, migrations and the clock were not looked at.`,
    'Stop it, and run this again to have them looked at.',
  )
}

function notReached(thrown: unknown): Finding {
  const what = `DATABASE_URL: the database cannot be used (${reasonOf(thrown)}).`
  return error(what, 'See that it runs, and that host, port, name and password are right.')
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
