import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { archiveUser } from '#auth/accounts/deleted-accounts/archive'
import { restoreUser } from '#auth/accounts/deleted-accounts/restore'
import { readTables } from '#auth/accounts/deleted-accounts/tables'
import { users } from '#db/schema'
import { installModules } from '#modules/installed-modules'
import { testDatabase } from '#testing/database/database'
import { modules } from '@/modules'
import { rowsOfTables } from '../../support/archived-fixtures'

const db = testDatabase()

/** A value of each type that no constraint of a module refuses. */
const values: Record<string, string> = {
  text: `'text ' || gen_random_uuid()`,
  'text[]': `array['a', 'b,c']`,
  uuid: 'gen_random_uuid()',
  bytea: `sha256(gen_random_uuid()::text::bytea)`,
  boolean: 'true',
  integer: '3',
  bigint: '4',
  jsonb: `'{"a": 1}'`,
  'timestamp(3) with time zone': `now() + interval '1 hour'`,
}

/** Columns with a constraint of their own. */
const columns: Record<string, string> = {
  'passwords.hash': `'$argon2id$' || gen_random_uuid()`,
  'verification_tokens.purpose': `'reset_password'`,
  'verification_tokens.role': 'null',
}

/** Proofs of identity end with the sessions, and do not come back. */
const ended = [
  'sessions',
  'verification_tokens',
  'remembered_browsers',
  'sign_in_challenges',
  'sign_in_links',
]

let names: string[]
let ids: string[]

beforeAll(async () => {
  installModules(modules)
  const created = await db.database
    .insert(users)
    .values([
      { email: 'owner@example.com', name: 'Owner', role: 'editor', timeZone: 'Asia/Tokyo' },
      { email: 'other@example.com', name: 'Other', role: 'admin' },
    ])
    .returning({ id: users.id })
  ids = created.map(({ id }) => id)
  const { tables, foreignKeys } = await readTables(db.database)
  const owned = foreignKeys.filter(({ target }) => target === 'users')
  names = ['users', ...new Set(owned.map(({ table }) => table))]
  // Core's first: a trigger of a module on passwords deletes rows of others.
  for (const name of names.toSorted((one) => (one === 'passwords' ? -1 : 0))) {
    const table = tables.get(name)
    if (!table || name === 'users') continue
    const owners = owned.filter((key) => key.table === name).flatMap((key) => key.columns)
    for (const id of ids) {
      const row = table.columns.map((column) => ({
        name: column.name,
        value: owners.includes(column.name)
          ? `'${id}'`
          : (columns[`${name}.${column.name}`] ?? values[column.type] ?? `'${column.type}?'`),
      }))
      const list = row.map((column) => `"${column.name}"`).join(', ')
      const content = row.map(({ value }) => value).join(', ')
      await db.database.execute(
        sql.raw(`insert into "${name}" (${list}) overriding system value select ${content}`),
      )
    }
  }
})

const rows = () => rowsOfTables(db.database, names)

test('the rows of every module come back as they were, and proofs do not', async () => {
  const [owner = '', other = ''] = ids
  const before = await rows()
  for (const [name, table] of Object.entries(before))
    expect([name, table.length]).toEqual([name, 2])
  const eraseAt = new Date(Date.now() + 60 * 60 * 1000)
  await db.database.transaction((transaction) => archiveUser(transaction, owner, eraseAt))
  const archived = await rows()
  expect(JSON.stringify(archived)).not.toContain(owner)
  expect(archived.articles).toHaveLength(2)
  const restored = await db.database.transaction((transaction) => restoreUser(transaction, owner))
  expect(restored).toEqual({ outcome: 'restored', leftOut: [] })
  const after = await rows()
  for (const name of names) {
    const kept = before[name]?.filter((row) => !ended.includes(name) || row.includes(other))
    expect([name, after[name]]).toEqual([name, kept])
  }
})
