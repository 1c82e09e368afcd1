import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { accounts, auditEvents, sessions, users } from '@/core/db/schema'
import { env, parseEnv } from '@/core/env'
import type { testDatabase } from './database'
import { type OAuthServer, type Person, startOAuthServer } from './oauth-server'

export const kinds = ['github', 'google'] as const

const settings = { ...process.env, AUTH_SECRET: 'only-for-tests-'.repeat(3), TRUST_PROXY: '1' }

let people = 0

/** Both providers for all tests of the file that calls this, set anew before each. */
export function oauthServers(db: ReturnType<typeof testDatabase>) {
  const servers = {} as Record<(typeof kinds)[number], OAuthServer>

  beforeAll(async () => {
    for (const kind of kinds) servers[kind] = await startOAuthServer(kind)
  })
  beforeEach(() => {
    for (const kind of kinds) servers[kind].forged = {}
    configure({})
  })
  afterAll(async () => {
    for (const kind of kinds) await servers[kind].stop()
  })

  function configure(more: Record<string, string>) {
    const { github, google } = servers
    const wanted = parseEnv({ ...settings, ...github.settings, ...google.settings, ...more })
    for (const name of Object.keys(env())) Reflect.deleteProperty(env(), name)
    Object.assign(env(), wanted)
  }

  /** Somebody who has never been here, at the browser of that provider. */
  function newPerson(kind: (typeof kinds)[number], more: Partial<Person> = {}): Person {
    people += 1
    const id = String(1000 + people)
    const email = `person-${people}@example.org`
    const person = { id, name: `Person ${people}`, email, verified: true, ...more }
    servers[kind].person = person
    return person
  }

  return {
    servers,
    configure,
    newPerson,
    /** Everything that a refusal must leave as it was. */
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
