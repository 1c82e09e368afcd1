import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isStartupError } from '#config/env'
import { splitDatabaseUrl } from '#config/setting-types'
import type { Connection, Database } from '#db/client'
import { openEmbedded } from '#db/embedded/embedded'
import { explainConnectError } from '#db/explain-errors'
import { findPending } from '#db/migrate/plan'
import { askServer, isPooler } from '#db/postgres/hosts'
import { connectionsBesidePool, openPostgres } from '#db/postgres/postgres'
import { checkAccounts, checkProtection, checkQueues, checkRecovery } from '#doctor/checks/contents'
import { type Facts, type Installed, reporter } from '#doctor/facts'
import type { Finding } from '#modules/module'
import { explainStartupError } from '#server/console'

const { error, warning, ok } = reporter('database')

export async function checkDatabase(facts: Facts, modules: Installed): Promise<Finding[]> {
  const { DATABASE_URL: url } = facts.settings
  const hosts = url ? await checkHosts(url) : []
  let ofModules: Finding[] | undefined
  const findings = await withDatabase(facts, async (connection, pooler) => {
    const migrations = await checkMigrations(connection, modules, facts)
    const ready = migrations.every(({ level }) => level === 'ok')
    if (ready) ofModules = await checkModules(facts, modules, connection.database)
    return [
      describeDatabase(facts),
      ...(pooler ? await checkPooler(connection) : []),
      ...(url && !pooler ? await checkServer(connection, facts) : []),
      ...migrations,
      ...(await checkClock(connection)),
      ...(ready ? await checkAccounts(connection.database, facts) : []),
      ...(ready ? await checkQueues(connection, facts) : []),
      ...(ready ? await checkRecovery(connection.database, facts) : []),
      ...(await checkProtection(connection, modules, facts)),
    ]
  })
  ofModules ??= await checkModules(facts, modules, undefined)
  return [...hosts, ...findings, ...ofModules]
}

async function checkModules(
  { settings, authSecrets }: Facts,
  modules: Installed,
  database: Database | undefined,
): Promise<Finding[]> {
  const all = await Promise.all(
    modules.map(({ doctor }) => doctor?.({ settings, authSecrets, database }) ?? []),
  )
  return all.flat()
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
    'The embedded database serves one process on one machine, without a standby.',
    'Use PostgreSQL if others depend on this app: set DATABASE_URL.',
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

const limitMs = 2_000

/** One finding for each of several hosts: whether it responds, and which one takes writes. */
export async function checkHosts(url: string): Promise<Finding[]> {
  const { urls } = splitDatabaseUrl(url)
  if (urls.length === 1) return []
  const writers: string[] = []
  const findings = await Promise.all(
    urls.map(async (each) => {
      const { host } = new URL(each)
      try {
        const { readOnly } = await askServer(each, limitMs)
        if (!readOnly) writers.push(host)
        return ok(readOnly ? `${host} takes no writes.` : `${host} takes writes.`)
      } catch (thrown) {
        const { problem, remedy } = explainConnectError(thrown, host)
        return warning(problem, remedy)
      }
    }),
  )
  if (writers.length < 2) return findings
  const message = `Several hosts take writes: ${writers.sort().join(', ')}.`
  return [...findings, error(message, 'Stop all but the primary. What others are sent is lost.')]
}

/** PostgreSQL before version 14 does not have the second one. */
const selectLimits = `
  select current_setting('statement_timeout') <> '0'
    or coalesce(current_setting('client_connection_check_interval', true), '0') <> '0' as ends`

/** The consequences of a pooler in transaction mode. */
async function checkPooler({ query }: Connection): Promise<Finding[]> {
  const found = ok('DATABASE_URL is a connection pooler. Prepared statements are not used.')
  const { rows } = await query(selectLimits, [])
  const [row] = rows as { ends: boolean }[]
  if (row?.ends) return [found]
  return [
    found,
    warning(
      'Behind the pooler, PostgreSQL does not end a statement that was given up.',
      `Run: alter role … set client_connection_check_interval = '1s'.`,
    ),
  ]
}

const selectServer = `
  select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int as available,
    last_failed_time > coalesce(last_archived_time, '-infinity') as "archivingFails"
  from pg_stat_archiver`

/** Limits of a PostgreSQL that is connected directly. */
async function checkServer({ query }: Connection, { settings }: Facts): Promise<Finding[]> {
  const { rows } = await query(selectServer, [])
  const [row] = rows as { available: number; archivingFails: boolean | null }[]
  if (!row) return []
  const { DATABASE_POOL_SIZE, WEB_CONCURRENCY } = settings
  const own = (DATABASE_POOL_SIZE + connectionsBesidePool) * WEB_CONCURRENCY
  const use = `One instance opens up to ${own} of the ${row.available} connections of the server.`
  return [
    2 * own > row.available
      ? warning(use, 'Lower DATABASE_POOL_SIZE or use a pooler: a deploy needs twice as many.')
      : ok(use),
    ...(row.archivingFails
      ? [warning('Its log is not archived: the last attempt failed.', 'See the log of PostgreSQL.')]
      : []),
  ]
}

/** Sessions and links expire by the database’s clock, rate limits and OAuth flows by the server’s. */
async function checkClock(connection: Connection): Promise<Finding[]> {
  const sentAt = Date.now()
  const { rows } = await connection.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    [],
  )
  const middle = (sentAt + Date.now()) / 2
  const [{ now } = { now: middle }] = rows as { now: number }[]
  const seconds = (now - middle) / 1000
  const difference = Math.abs(seconds)
  if (difference <= 2) return [ok('Its clock matches the clock of this machine.')]
  const message = `Its clock is ${difference.toFixed(0)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine.`
  return [(difference > 30 ? error : warning)(message, 'Synchronize both clocks with NTP.')]
}

async function checkMigrations(
  connection: Connection,
  modules: readonly { id: string }[],
  { settings }: Pick<Facts, 'settings'>,
): Promise<Finding[]> {
  const appliedAtStart = settings.MIGRATE === 'start'
  try {
    const { pending, applied } = await findPending(connection, modules)
    if (pending.length === 0) return [ok('All migrations are applied.')]
    const message =
      applied === 0
        ? 'It is empty.'
        : `Pending migrations: ${pending.map(({ name }) => name).join(', ')}.`
    const remedy = appliedAtStart ? 'The next start applies them.' : 'Run npm run migrate.'
    return [warning(message, `${remedy} Accounts were not checked.`)]
  } catch (thrown) {
    if (!isStartupError(thrown)) throw thrown
    return [error(thrown.message, 'The server does not start until this is fixed.')]
  }
}
