import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isStartupError } from '@/core/config/env'
import type { Connection } from '@/core/db/client'
import { openEmbedded } from '@/core/db/embedded/embedded'
import { openPostgres } from '@/core/db/postgres/postgres'
import { isPooler } from '@/core/db/postgres/server-state'
import { explainConnectError } from '@/core/db/startup-errors'
import { checkAccounts } from '@/doctor/checks/accounts'
import { checkClock } from '@/doctor/checks/clock'
import { checkHosts } from '@/doctor/checks/hosts'
import { checkMigrations } from '@/doctor/checks/migrations'
import { checkPooler } from '@/doctor/checks/pooler'
import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'
import { explainStartupError } from '@/server/explain-startup-error'

const { error, warning, ok } = reporter('database')

type Installed = readonly { id: string }[]

export async function checkDatabase(facts: Facts, modules: Installed): Promise<Finding[]> {
  const { DATABASE_URL: url } = facts.settings
  const hosts = url ? await checkHosts(url) : []
  const findings = await withDatabase(facts, async (connection, pooler) => {
    const migrations = await checkMigrations(connection, modules, facts)
    const ready = migrations.every(({ level }) => level === 'ok')
    return [
      describeDatabase(facts),
      ...(pooler ? await checkPooler(connection) : []),
      ...migrations,
      ...(await checkClock(connection)),
      ...(ready ? await checkAccounts(connection.database, facts) : []),
    ]
  })
  return [...hosts, ...findings]
}

/** Opens the database as the server does. Writes nothing. */
export async function withDatabase(
  facts: Facts,
  check: (connection: Connection, pooler: boolean) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { settings, folder } = facts
  const { DATABASE_URL: url } = settings
  const data = resolve(folder, settings.DATA_DIR)
  if (settings.embedded && !existsSync(join(data, 'database'))) {
    return [ok(`${settings.DATA_DIR} has no database yet. The first start creates it.`)]
  }
  if (!settings.embedded && !url) {
    return [warning('It was not checked.', 'Correct DATABASE_URL, and run this again.')]
  }
  let connection: Connection | undefined
  try {
    const pooler = url ? await isPooler(url) : false
    connection = url ? await openConfigured(facts, pooler) : await openEmbedded(data)
    return await check(connection, pooler)
  } catch (thrown) {
    return [settings.embedded ? embeddedError(thrown) : connectionError(thrown)]
  } finally {
    await connection?.close()
  }
}

async function openConfigured({ settings }: Facts, pooler: boolean): Promise<Connection> {
  const { DATABASE_URL = '', DATABASE_DIRECT_URL } = settings
  const opened = openPostgres({
    url: DATABASE_URL,
    pooler,
    directUrl: DATABASE_DIRECT_URL,
    poolSize: 1,
  })
  try {
    await opened.ping()
    return opened
  } catch (reason) {
    await opened.close()
    throw reason
  }
}

function describeDatabase({ settings, exposed }: Facts): Finding {
  if (!settings.embedded) return ok('PostgreSQL is available.')
  if (!exposed) return ok('The embedded database, reachable from this machine only.')
  return warning(
    'The embedded database can lose recent writes when the machine loses power.',
    'Use PostgreSQL in production: set DATABASE_URL.',
  )
}

/** A running server holds the lock, and the doctor never takes it over. */
function embeddedError(thrown: unknown): Finding {
  const reason = explainStartupError(thrown) ?? reasonOf(thrown)
  if (!isStartupError(thrown)) {
    return error(`It cannot be opened: ${reason}`, 'Check the owner and the contents of DATA_DIR.')
  }
  const [holder] = reason.split(/(?<=\.) /)
  return warning(
    `${holder} Accounts, migrations and the clock were not checked.`,
    'Stop that process, and run this again.',
  )
}

function connectionError(thrown: unknown): Finding {
  const { problem, remedy } = explainConnectError(thrown, 'DATABASE_URL')
  return error(problem, remedy)
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
