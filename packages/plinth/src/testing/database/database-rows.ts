import { desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#db/client'
import { accounts, auditEvents, sessions, users } from '#db/schema'
import { jsonChunks } from '#http/streams'

/** The newest audit event. */
export async function lastEvent(database: Database) {
  const [event] = await database.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1)
  return event
}

export async function userIdOf(database: Database, email: string): Promise<string> {
  const [user] = await database.select().from(users).where(eq(users.email, email))
  return user?.id ?? ''
}

/** Queries on a database that is opened in `beforeAll`. */
export function databaseRows(db: { readonly database: Database }) {
  return {
    /** Unchanged by a rejected request. */
    counts: async () => ({
      users: await db.database.$count(users),
      accounts: await db.database.$count(accounts),
      sessions: await db.database.$count(sessions),
    }),
    userOf: async (email: string) =>
      (await db.database.select().from(users).where(eq(users.email, email)))[0],
    accountsOf: (userId: string) =>
      db.database.select().from(accounts).where(eq(accounts.userId, userId)),
    lastEvents: async (count: number) => {
      const newest = desc(auditEvents.id)
      return (await db.database.select().from(auditEvents).orderBy(newest).limit(count)).reverse()
    },
  }
}

/** Denials are counted, and mail is sent in the background. */
const excluded = [
  // Each start of a passkey's sign-in adds one, and each try uses one up.
  'passkey_challenges',
  'rate_limits',
  'user_counts',
  'mail_queue',
  'change_log',
  'change_log_sweep',
  'static_files',
  'plinth_migrations',
]

/** Without the rows that `core.sweep` may delete meanwhile. */
const background: Readonly<Record<string, string>> = {
  jobs: `where name not like 'core.%'`,
  job_schedules: `where name not like 'core.%'`,
  sessions: 'where expires_at > now()',
}

/** Every other table as text: what a rejected request must not change. */
export async function snapshotDatabase(database: Database): Promise<string> {
  const found = await query<{ name: string }>(
    database,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by name`,
  )
  const names = found
    .map(({ name }) => name)
    // Denials are audited.
    .filter((name) => !excluded.includes(name) && !name.startsWith('audit_events'))
  const tables = await Promise.all(
    names.map(async (table) => {
      const where = background[table] ?? ''
      const all = `select coalesce(json_agg(t order by t::text), '[]') as rows from "${table}" t ${where}`
      const [first] = await query<{ rows: unknown }>(database, all)
      return [table, first?.rows]
    }),
  )
  return JSON.stringify(Object.fromEntries(tables))
}

async function query<Row>(database: Database, statement: string): Promise<Row[]> {
  const result = (await database.execute(sql.raw(statement))) as unknown as Row[] | { rows: Row[] }
  return 'rows' in result ? result.rows : result
}

/** Personal data of a module as it is in the data export. */
export async function exportedData(data: unknown): Promise<unknown> {
  let text = ''
  for await (const chunk of jsonChunks(await data)) text += chunk
  return JSON.parse(text)
}
