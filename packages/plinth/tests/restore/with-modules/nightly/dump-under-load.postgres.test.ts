import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashPassword } from '#auth/passwords/hash'
import { passwords, users } from '#db/schema'
import { run } from '#testing/program'
import { callAction, outcomeOf } from '#testing/server/call-action'
import { engineCommand } from '#testing/server/engine-command'
import { runningServer } from '#testing/server/running-server'
import { startServer } from '#testing/server/server'
import { findPostgres, startPostgres } from '../../../../scripts/services/programs.mjs'
import { dump, query, restoreDump } from '../../../support/postgres-dump'

vi.setConfig({ testTimeout: 180_000 })

const password = 'a long enough password'
const settings = { TRUST_PROXY: '1' }
const app = runningServer(settings)

let elsewhere: Awaited<ReturnType<typeof startPostgres>>
let folder: string

beforeAll(async () => {
  elsewhere = await startPostgres(findPostgres() ?? '')
  folder = mkdtempSync(join(tmpdir(), 'plinth-dump-'))
})

afterAll(async () => {
  await elsewhere.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newUser(name: string, hash: string) {
  const [user] = await app.database
    .insert(users)
    .values({ email: `${name}@example.com`, name: `${name} 0`, emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('No user was created.')
  await app.database.insert(passwords).values({ userId: user.id, hash })
  return { id: user.id, email: user.email, name }
}

let requests = 0

/** Returns the token of the new session. */
async function signIn(base: string, email: string): Promise<string> {
  requests += 1
  const response = await fetch(`${base}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify({ email, password, redirect: false, transport: 'bearer' }),
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.1.${requests >> 8}.${requests & 255}`,
    },
  })
  const body = await response.json()
  if (response.status !== 200) throw new Error(JSON.stringify(body))
  return body.token
}

async function sessionOf(base: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${base}/api/auth/session`, { headers })
  expect(response.status).toBe(200)
  return (await response.json())?.user?.email
}

const renamed = ['anna', 'boris', 'clara', 'david', 'elena', 'felix']
const signedIn = ['greta', 'hamid', 'irene', 'jonas']

/** Below the limits: of changes in a minute, and of sessions, where more would end others. */
const maxWrites = 45

/** Users who change their names one after another, and users who sign in again and again. */
async function startLoad() {
  const hash = await hashPassword(password)
  const tokens: string[] = []
  let writes = 0
  let running = true

  async function changeName(name: string) {
    const { email } = await newUser(name, hash)
    const token = await signIn(app.url, email)
    tokens.push(token)
    const headers = { cookie: `authjs.session-token=${token}` }
    for (let count = 1; running && count <= maxWrites; count += 1, writes += 1) {
      const input = { name: `${name} ${count}` }
      const result = await callAction(app.url, 'updateProfile', input, headers)
      expect(outcomeOf(result)).toBe('done')
    }
  }

  async function signInOften(name: string) {
    const { email } = await newUser(name, hash)
    for (let count = 1; running && count <= maxWrites; count += 1, writes += 1) {
      tokens.push(await signIn(app.url, email))
    }
  }

  const work = Promise.all([...renamed.map(changeName), ...signedIn.map(signInOften)])
  return {
    tokens,
    writes: () => writes,
    async stop() {
      running = false
      await work
    },
  }
}

const program = (name: string, url: string) => {
  const env = { ...app.fresh.settings, ...settings, DATABASE_URL: url, NODE_ENV: 'production' }
  const started = run(...engineCommand(name), env)
  return started.exited.then((code) => ({ code, output: started.output() }))
}

/** The parts that make the rules of the database, by name. */
const rules = `
  select 'constraint' as kind, conrelid::regclass || ' ' || conname as name,
    pg_get_constraintdef(oid) || convalidated as definition
    from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select 'trigger', tgrelid::regclass || ' ' || tgname, tgenabled::text
    from pg_trigger where not tgisinternal
  union all
  select 'index', indexrelid::regclass::text, indisvalid::text
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace
  union all
  select 'function', oid::regprocedure::text, md5(prosrc)
    from pg_proc where pronamespace = 'public'::regnamespace
  order by 1, 2`

/** The changes of each user, and the audit events about them. */
const changes = `
  select email, split_part(name, ' ', 2)::int as renamed,
    (select count(*)::int from audit_events where actor_id = users.id
      and action = 'update_profile' and outcome = 'success') as renamed_events,
    (select count(*)::int from sessions where user_id = users.id) as sessions,
    (select count(*)::int from audit_events where actor_id = users.id
      and action = 'sign_in' and outcome = 'success') as sign_in_events
  from users order by email`

test('a dump under load is whole, and its sessions end before it is used', async () => {
  const source = app.fresh.settings.DATABASE_URL ?? ''
  const load = await startLoad()
  await expect.poll(load.writes).toBeGreaterThan(20)
  const before = load.writes()
  const file = join(folder, 'my_app.dump')
  await dump(source, file)
  await expect.poll(load.writes).toBeGreaterThan(before)
  await load.stop()

  const url = new URL(elsewhere.url)
  url.pathname = '/restored'
  await query(elsewhere.url, 'create database restored')
  expect(await program('restore', url.href)).toEqual({
    code: 1,
    output: 'The database has no tables of this app. Restore the dump first.\n',
  })
  await restoreDump(url.href, file)

  expect(await query(url.href, rules)).toEqual(await query(source, rules))
  const restored = await query(url.href, changes)
  expect(restored).toHaveLength(renamed.length + signedIn.length)
  for (const user of restored) {
    expect(user).toMatchObject({ renamed_events: user.renamed, sign_in_events: user.sessions })
  }
  const written = restored.reduce(
    (sum, { renamed, sessions }) => sum + Number(renamed) + Number(sessions),
    0,
  )
  expect(written).toBeGreaterThanOrEqual(before)

  const [{ count: sessions } = {}] = await query(
    url.href,
    'select count(*)::int as count from sessions',
  )
  await query(url.href, `update plinth_migrations set name = 'x' || name where name like '0001%'`)
  const refused = await program('restore', url.href)
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/^Migrations are pending: core\/0001_initial, .* npm run migrate /)
  expect(await query(url.href, 'select count(*)::int as count from sessions')).toEqual([
    { count: sessions },
  ])
  await query(url.href, `update plinth_migrations set name = substr(name, 2) where name like 'x%'`)

  const prepared = await program('restore', url.href)
  expect(prepared).toMatchObject({ code: 0 })
  expect(prepared.output).toContain(`Ended all sessions: ${sessions}.\n`)
  const again = await program('restore', url.href)
  expect(again).toMatchObject({ code: 0 })
  expect(again.output).toContain('Ended all sessions: 0.\n')
  expect(
    await query(url.href, `select 1 from audit_events where action = 'restore_database'`),
  ).toHaveLength(2)

  const server = await startServer({ ...app.fresh.settings, ...settings, DATABASE_URL: url.href })
  const [token = ''] = load.tokens
  expect(await sessionOf(app.url, token)).toMatch(/@example\.com$/)
  for (const old of load.tokens) expect(await sessionOf(server.url, old)).toBeUndefined()
  const fresh = await signIn(server.url, 'greta@example.com')
  expect(await sessionOf(server.url, fresh)).toBe('greta@example.com')
  expect(await server.stop()).toBe(0)
})

test('a process that runs across the restore forgets what it has cached', async () => {
  const source = app.fresh.settings.DATABASE_URL ?? ''
  const name = new URL(source).pathname.slice(1)
  const admin = process.env.TEST_DATABASE_URL ?? ''
  const file = join(folder, 'second.dump')
  await newUser('karin', await hashPassword(password))
  await dump(source, file)
  const later = await signIn(app.url, 'karin@example.com')
  expect(await sessionOf(app.url, later)).toBe('karin@example.com')

  const url = new URL(source)
  url.pathname = `/${name}_restored`
  await query(admin, `create database ${name}_restored`)
  await restoreDump(url.href, file)
  expect(await program('restore', url.href)).toMatchObject({ code: 0 })
  await query(admin, `alter database ${name} allow_connections false`)
  await query(
    admin,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  await query(admin, `alter database ${name} rename to ${name}_before`)
  await query(admin, `alter database ${name}_restored rename to ${name}`)

  const headers = { authorization: `Bearer ${later}` }
  const poll = () => fetch(`${app.url}/api/auth/session`, { headers })
  await expect.poll(async () => (await poll()).status).toBe(200)
  expect(await (await poll()).text()).toBe('null')
  const fresh = await signIn(app.url, 'karin@example.com')
  expect(await sessionOf(app.url, fresh)).toBe('karin@example.com')
  await query(source, 'delete from sessions')
  await expect.poll(() => sessionOf(app.url, fresh)).toBeUndefined()
  await query(admin, `drop database ${name}_before with (force)`)
})
