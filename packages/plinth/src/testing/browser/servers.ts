import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { type BrowserContext, expect } from '@playwright/test'
import postgres, { type Sql } from 'postgres'
import { password } from '#testing/browser/users'
import { administer, databaseUrl } from '#testing/database/postgres-server'
import { copyMigratedDatabase } from '#testing/database/test-databases'
import { type Server, startServer } from '#testing/server/server'

export type IsolatedServer = { url: string; outbox: string; stop(): Promise<void> }

/** The built server with its own embedded database. */
export async function startIsolatedServer(
  port: number,
  settings: Record<string, string> = {},
): Promise<IsolatedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-e2e-'))
  await copyMigratedDatabase(folder)
  const server = await startServer({
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: '',
    AUTH_URL: '',
    ...settings,
  })
  return {
    url: server.url,
    outbox: join(folder, 'outbox'),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type OldSessions = {
  server: Server
  /** Its database. */
  sql: Sql
  /** A new user. Returns the id. */
  createUser(email: string, role?: string): Promise<string>
  /** Signs in, and makes the sign-in eleven minutes old. */
  signIn(context: BrowserContext, email: string): Promise<void>
  /** As of a user who signs in with a provider. */
  removePassword(email: string): Promise<void>
  stop(): Promise<void>
}

/** A server on PostgreSQL, because the test makes sign-ins old in the database. */
export async function serverWithOldSessions(): Promise<OldSessions> {
  const name = `plinth_e2e_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name}`)
  const server = await startServer({
    DATABASE_URL: databaseUrl(name),
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    AUTH_URL: '',
  })
  const sql = postgres(databaseUrl(name), { max: 1, onnotice: () => {} })
  return {
    server,
    sql,
    async createUser(email, role = 'viewer') {
      const [user] = await sql`
        insert into users (email, name, role, email_verified_at)
        values (${email}, ${email}, ${role}, now()) returning id`
      const passwordHash = await hash(password)
      await sql`insert into passwords (user_id, hash) values (${user?.id}, ${passwordHash})`
      return user?.id
    },
    async signIn(context, email) {
      const data = { email, password, redirect: false }
      const response = await context.request.post(`${server.url}/api/auth/signin`, { data })
      expect(response.status()).toBe(200)
      await sql`update sessions set authenticated_at = now() - interval '11 minutes'`
    },
    async removePassword(email) {
      await sql`delete from passwords using users where user_id = users.id and email = ${email}`
    },
    async stop() {
      await server.stop()
      await sql.end()
      await administer(`drop database if exists ${name} with (force)`)
    },
  }
}
