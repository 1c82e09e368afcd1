import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { auditEvents, sessions, users } from '@/core/db/schema'

/** A module lists its own in `tests/page-budgets.ts`. */
export type PageBudget = {
  path: string
  maxKilobytes: number
  /** Creates what the page shows to `userId`, who is an admin. */
  prepare?: (database: Database, userId: string) => Promise<void>
}

const givenNames = ['Li', 'Ana', 'Fatima', 'Søren', 'Bartholomew', 'Anneliese', 'Wei', 'Mohammed']
const familyNames = ['Ng', 'García', 'Kowalski', 'Papadopoulos', 'O’Neill', 'Müller', 'Nakamura']

const userAgents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
]

const pick = <Value>(list: readonly Value[], index: number) => list[index % list.length] as Value

export async function createUsers(database: Database, count: number): Promise<string[]> {
  const created = await database
    .insert(users)
    .values(
      Array.from({ length: count }, (_, index) => {
        const name = `${pick(givenNames, index)} ${pick(familyNames, index * 3)}`
        const mailbox = name
          .normalize('NFD')
          .replace(/[^a-z]+/gi, '.')
          .toLowerCase()
        return {
          name,
          email: `${mailbox}.${index}@department-${index % 7}.organization.example.com`,
          role: pick(['viewer', 'viewer', 'viewer', 'editor', 'admin'] as const, index),
          emailVerifiedAt: index % 9 === 0 ? null : new Date(),
          createdAt: sql`now() - ${index} * interval '5 hours'`,
        }
      }),
    )
    .returning({ id: users.id })
  return created.map(({ id }) => id)
}

export async function createSessions(database: Database, userId: string, count: number) {
  await database.insert(sessions).values(
    Array.from({ length: count }, (_, index) => ({
      tokenHash: randomBytes(32),
      userId,
      ip: index % 2 ? `203.0.113.${index}` : `2001:db8:85a3::8a2e:370:${7000 + index}`,
      userAgent: pick(userAgents, index),
      lastSeenAt: sql`now() - ${index} * interval '7 hours'`,
      expiresAt: sql`now() + interval '20 days'`,
    })),
  )
}

const events = [
  { action: 'sign_in', outcome: 'success', details: { by: 'password' } },
  { action: 'sign_in', outcome: 'failure', details: {} },
  { action: 'update_user_role', outcome: 'success', details: { from: 'viewer', to: 'editor' } },
  { action: 'view_users', outcome: 'denied', details: {} },
  {
    action: 'revoke_session',
    outcome: 'success',
    details: { reason: 'too_many_sessions', count: 2 },
  },
  { action: 'link_account', outcome: 'success', details: { provider: 'github' } },
  { action: 'publish_article', outcome: 'success', details: {} },
] as const

/** Of many kinds, by and about these users, in the last days. */
export async function createAuditEvents(database: Database, userIds: string[], count: number) {
  await database.insert(auditEvents).values(
    Array.from({ length: count }, (_, index) => ({
      ...pick(events, index),
      actorId: pick(userIds, index),
      targetId: pick(userIds, index * 5),
      ip: `198.51.100.${index % 250}`,
      requestId: `82b2316717c1e4f7ba-${index}`,
      at: sql`now() - ${index} * interval '40 minutes'`,
    })),
  )
}
