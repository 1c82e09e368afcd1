import { existsSync } from 'node:fs'
import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { rowsOf } from '#db/client'
import { users } from '#db/schema'
import type { SignedInScope } from '#guard/policy'
import { installModules } from '#modules/installed-modules'
import { testDatabase } from '#testing/database/database'
import { exportedData } from '#testing/database/database-rows'
import { signedInScope } from '#testing/scope'
import { exportData } from '@/app/(account)/data/data-export'
import { modules } from '@/modules'

const db = testDatabase()

type Owner = { id: string; email: string; secret: SQL }

/** Where the export has the rows of a table, and a statement that stores one. */
type Exported = { path: string; store: (owner: Owner) => SQL }

const later = sql`now() + interval '1 hour'`

const exported: Record<string, Exported> = {
  users: {
    path: 'profile',
    store: ({ id }) => sql`update users set name = 'Another name' where id = ${id}`,
  },
  passwords: {
    path: 'profile.passwordChangedAt',
    store: ({ id }) =>
      sql`insert into passwords (user_id, hash) values (${id}, '$argon2id$very-secret')`,
  },
  accounts: {
    path: 'linkedAccounts',
    store: ({ id }) =>
      sql`insert into accounts (provider, provider_account_id, user_id) values ('github', ${id}, ${id})`,
  },
  sessions: {
    path: 'sessions',
    store: ({ id, secret }) =>
      sql`insert into sessions (token_hash, user_id, expires_at) values (${secret}, ${id}, ${later})`,
  },
  verification_tokens: {
    path: 'links',
    store: ({ id, email, secret }) => sql`
      insert into verification_tokens (token_hash, purpose, email, user_id, expires_at)
      values (${secret}, 'reset_password', ${email}, ${id}, ${later})`,
  },
  mail_queue: {
    path: 'queuedMail',
    store: ({ email }) =>
      sql`insert into mail_queue (purpose, email) values ('reset_password', ${email})`,
  },
  failed_mail: {
    path: 'queuedMail',
    store: ({ email }) => sql`
      insert into failed_mail (id, purpose, email, data, created_at, attempts, reason)
      values (floor(random() * 1e9), 'reset_password', ${email}, '{}', now(), 16, 'ECONNREFUSED')`,
  },
  audit_events: {
    path: 'events.0.action',
    store: ({ id }) => sql`
      insert into audit_events (at, action, outcome, actor_id)
      values (${later}, 'in_an_hour', 'success', ${id})`,
  },
  articles: {
    path: 'modules.content.articles',
    store: ({ id }) =>
      sql`insert into articles (title, body, author_id) values ('Title', 'Body', ${id})`,
  },
  authenticator_apps: {
    path: 'modules.security.authenticatorApp',
    store: ({ id, secret }) => sql`
      insert into authenticator_apps (user_id, secret, key_id, confirmed_at)
      values (${id}, ${secret}, 'very-secret', now())`,
  },
  recovery_codes: {
    path: 'modules.security.recoveryCodesLeft',
    store: ({ id, secret }) =>
      sql`insert into recovery_codes (user_id, code_hash) values (${id}, ${secret})`,
  },
  passkeys: {
    path: 'modules.security.passkeys',
    store: ({ id, secret }) => sql`
      insert into passkeys (id, user_id, name, public_key, counter, synced)
      values (${id}, ${id}, 'Phone', ${secret}, 1, false)`,
  },
  sign_in_challenges: {
    path: 'modules.security.pendingSignIns',
    store: ({ id, secret }) => sql`
      insert into sign_in_challenges (token_hash, user_id, proved_by, expires_at)
      values (${secret}, ${id}, 'password', ${later})`,
  },
  remembered_browsers: {
    path: 'modules.security.rememberedBrowsers',
    store: ({ id, secret }) => sql`
      insert into remembered_browsers (user_id, device_hash, expires_at)
      values (${id}, ${secret}, ${later})`,
  },
  notice_settings: {
    path: 'modules.security.noticeOfNewDevices',
    store: ({ id }) => sql`insert into notice_settings (user_id, new_device) values (${id}, false)`,
  },
  sign_in_links: {
    path: 'modules.security.pendingSignInLinks',
    store: ({ id, email, secret }) => sql`
      insert into sign_in_links (user_id, email, token_hash, browser_hash, code_hash, expires_at)
      values (${id}, ${email}, ${secret}, ${secret}, ${secret}, ${later})`,
  },
  email_changes: {
    path: 'modules.security.pendingEmailChange',
    store: ({ id, secret }) => sql`
      insert into email_changes (user_id, id, email, token_hash, expires_at)
      values (${id}, gen_random_uuid(), ${`new-${id}@example.com`}, ${secret}, ${later})`,
  },
  account_changes: {
    path: 'signInChanges',
    store: ({ id, email, secret }) => sql`
      insert into account_changes
        (user_id, at, email, new_email, added, removed_rows, key_id, link, token_hash)
      values (${id}, now(), ${`old-${id}@example.com`}, ${email},
        '[{"kind": "password", "id": "very-secret", "name": null}]', ${secret}, 'very-secret', 'open',
        ${secret})`,
  },
}

/** Why a user's export does not have the rows of a table. */
const exempted: Record<string, string> = {
  recoveries: 'While one is open no one is signed in.',
  recovery_links: 'Only while a recovery is open, when no one is signed in.',
  recovery_proofs: 'Only while a recovery is open, when no one is signed in.',
  deleted_account_rows: 'Only of deleted accounts, whose users cannot sign in.',
  passkey_challenges:
    'The hash of a random value, for the five minutes in which a passkey is added.',
}

/** The tables of an app's own modules are for the app to decide about. */
const isApp = existsSync('plinth.json')

let user: Owner & { scope: SignedInScope }
let other: Owner

beforeAll(async () => {
  installModules(modules)
  user = {
    ...(await newOwner('user', '5e')),
    scope: await signedInScope(db.database, emailOf('user')),
  }
  other = await newOwner('other', '6f')
})

const emailOf = (name: string) => `${name}@example.com`

async function newOwner(name: string, byte: string): Promise<Owner> {
  const email = emailOf(name)
  const [stored] = await db.database.insert(users).values({ email, name }).returning()
  return { id: stored?.id ?? '', email, secret: sql`decode(repeat(${byte}, 32), 'hex')` }
}

const exportNow = () => exportedData(exportData(user.scope))

const valueAt = (path: string, data: unknown) =>
  path.split('.').reduce((value, step) => Object(value)[step], data)

test('every table about users is exported, or exempted for a reason', async () => {
  const found = rowsOf<{ name: string }>(
    await db.database.execute(sql`
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and not relispartition and (
          exists (
            select from pg_constraint
            where contype = 'f' and conrelid = pg_class.oid and confrelid = 'users'::regclass
          ) or exists (
            select from pg_attribute
            where attrelid = pg_class.oid and not attisdropped
              and attname ~ '(^|_)(email|user_id|actor_id)$'
          )
        )
      order by name`),
  ).map(({ name }) => name)
  const decided = { ...exported, ...exempted }
  expect(found.filter((name) => !isApp && !(name in decided))).toEqual([])
  expect(Object.keys(decided).filter((name) => !found.includes(name))).toEqual([])
  expect(Object.keys(exempted).filter((name) => name in exported)).toEqual([])
})

test.each(Object.entries(exported))(
  'exports what %s has about this user, without a secret',
  async (_, { path, store }) => {
    const before = valueAt(path, await exportNow())
    await db.database.execute(store(other))
    expect(valueAt(path, await exportNow())).toEqual(before)
    await db.database.execute(store(user))
    const after = await exportNow()
    expect(valueAt(path, after)).not.toEqual(before)
    // In hexadecimal, in base64 and as a list of bytes.
    expect(JSON.stringify(after)).not.toMatch(/5e5e5e|Xl5eXl|94,94,94|very-secret/)
  },
)

test('exports all remembered browsers, though the page has a limit', async () => {
  await db.database.execute(sql`
    insert into remembered_browsers (user_id, device_hash, expires_at)
    select ${user.id}, sha256(number::text::bytea), ${later} from generate_series(1, 60) as number`)
  const browsers = valueAt('modules.security.rememberedBrowsers', await exportNow()) as unknown[]
  expect(browsers.length).toBeGreaterThanOrEqual(60)
})
