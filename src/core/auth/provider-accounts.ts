import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { fittingName, type Identity } from '@/core/auth/identity'
import type { LiveSession } from '@/core/auth/scope'
import type { Database } from '@/core/db/client'
import { accounts, users } from '@/core/db/schema'

export type Person = LiveSession['user']

const person = { id: users.id, email: users.email, name: users.name, role: users.role }

/** Two who come back for one account at once do so one after the other, in all instances. */
export async function waitForAccount(
  transaction: Database,
  { provider, accountId }: Identity,
): Promise<void> {
  const key = `plinth.account ${provider} ${accountId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Held, so that nobody deletes the person before the session is there. */
export async function findOwner(
  transaction: Database,
  { provider, accountId }: Identity,
): Promise<Person | undefined> {
  const [owner] = await transaction
    .select(person)
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(and(eq(accounts.provider, provider), eq(accounts.providerAccountId, accountId)))
    .for('key share', { of: users })
  return owner
}

type Creation = { created?: Person; taken?: string }

/** A new person with this account, or the id of whoever has the address already. */
export async function createOwner(
  transaction: Database,
  identity: Identity,
  open: boolean,
): Promise<Creation> {
  const email = identity.email ?? ''
  if (open) {
    const name = fittingName(identity.name, email)
    const [created] = await transaction
      .insert(users)
      .values({ email, name, emailVerifiedAt: new Date() })
      .onConflictDoNothing({ target: users.email })
      .returning(person)
    if (created) {
      await addAccount(transaction, created.id, identity)
      return { created }
    }
  }
  const [taken] = await transaction.select(person).from(users).where(eq(users.email, email))
  return taken ? { taken: taken.id } : {}
}

/** False when this person has another account of that provider. */
export async function addAccount(
  transaction: Database,
  userId: string,
  { provider, accountId }: Identity,
): Promise<boolean> {
  const added = await transaction
    .insert(accounts)
    .values({ provider, providerAccountId: accountId, userId })
    .onConflictDoNothing({ target: [accounts.userId, accounts.provider] })
    .returning({ userId: accounts.userId })
  return added.length > 0
}
