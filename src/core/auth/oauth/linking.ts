import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { emailField } from '@/core/auth/accounts/fields'
import type { Database } from '@/core/db/client'
import { accounts, users } from '@/core/db/schema'
import type { SessionUser } from '@/core/http/scope'

const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  theme: users.theme,
}

/** Serializes concurrent callbacks for one provider account, across all instances. */
export async function lockAccount(
  transaction: Database,
  { provider, accountId }: ProviderProfile,
): Promise<void> {
  const key = `plinth.account ${provider} ${accountId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Locked, so that the user is not deleted before the session is stored. */
export async function findOwner(
  transaction: Database,
  { provider, accountId }: ProviderProfile,
): Promise<SessionUser | undefined> {
  const [owner] = await transaction
    .select(userColumns)
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(and(eq(accounts.provider, provider), eq(accounts.providerAccountId, accountId)))
    .for('key share', { of: users })
  return owner
}

type Creation = { created?: SessionUser; takenBy?: string }

/** A new user with this account, or the id of the user who has the email. */
export async function createOwner(
  transaction: Database,
  profile: ProviderProfile,
  signUpOpen: boolean,
): Promise<Creation> {
  const email = profile.email ?? ''
  if (signUpOpen) {
    const name = displayName(profile.name, email)
    const [created] = await transaction
      .insert(users)
      .values({ email, name, emailVerifiedAt: sql`now()` })
      .onConflictDoNothing({ target: users.email })
      .returning(userColumns)
    if (created) {
      await linkAccount(transaction, created.id, profile)
      return { created }
    }
  }
  const [taken] = await transaction.select(userColumns).from(users).where(eq(users.email, email))
  return taken ? { takenBy: taken.id } : {}
}

/** False if the user is linked to another account of this provider. */
export async function linkAccount(
  transaction: Database,
  userId: string,
  { provider, accountId }: ProviderProfile,
): Promise<boolean> {
  const added = await transaction
    .insert(accounts)
    .values({ provider, providerAccountId: accountId, userId })
    .onConflictDoNothing({ target: [accounts.userId, accounts.provider] })
    .returning({ userId: accounts.userId })
  return added.length > 0
}

/** The account at a provider, as the provider has just reported it. */
export type ProviderProfile = {
  provider: string
  accountId: string
  /** Only if the provider has verified it and our rules allow it. */
  email: string | undefined
  name: string | undefined
}

/**
 * By the rules for a typed email. But a user sees the result of typing, and a provider has verified
 * exactly this mailbox: `ａda@example.org` is another one than `ada@example.org`, so an email that
 * would be changed in more than its case is refused.
 */
export function acceptedEmail(text: string | null): string | undefined {
  if (text === null || text !== text.trim().normalize('NFKC')) return undefined
  return emailField.safeParse(text).data
}

/** The provider's name for the user, changed to follow our rules, or the local part of the email. */
function displayName(text: string | undefined, email: string): string {
  return singleLine(text ?? '') || singleLine(email.replace(/@.*/, '')) || 'User'
}

function singleLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim()
  const cut = line
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(cut) ? cut : ''
}
