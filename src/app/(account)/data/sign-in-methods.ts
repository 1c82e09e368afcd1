import 'server-only'
import { asc, eq, isNotNull, sql } from 'drizzle-orm'
import { configuredProviders } from 'plinth/auth/oauth/configured-providers'
import { env } from 'plinth/config/env'
import { type Database, database, preparedQuery } from 'plinth/db/client'
import { accounts, passwords, users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { canUnlink } from '../sign-in-methods'

export type ProviderStatus = {
  id: string
  name: string
  /** Undefined if not linked. */
  linkedAt: Date | undefined
  canUnlink: boolean
}

/** Includes configured providers that are not linked yet. */
export async function findSignInMethods(
  scope: SignedInScope,
): Promise<{ password: boolean; providers: ProviderStatus[] }> {
  const { password, linkedAt } = await readSignInMethods(database(), scope.session.user.id)
  const available = configuredProviders(env())
  const methods = { password, linked: [...linkedAt.keys()] }
  const configured = available.map(({ id }) => id)
  const names = new Map<string, string>([
    ...available.map(({ id, name }) => [id, name] as const),
    // No longer configured, but the user can still unlink them.
    ...methods.linked
      .filter((id) => !configured.some((other) => other === id))
      .map((id) => [id, id] as const),
  ])
  const providers = [...names].map(([id, name]) => ({
    id,
    name,
    linkedAt: linkedAt.get(id),
    canUnlink: linkedAt.has(id) && canUnlink(id, methods, configured),
  }))
  return { password, providers }
}

/** One row per linked provider; a single row if there is none. */
const query = preparedQuery((reader) =>
  reader
    .select({
      password: isNotNull(passwords.userId).mapWith(Boolean),
      provider: accounts.provider,
      at: accounts.createdAt,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.id, sql.placeholder('userId')))
    .orderBy(asc(accounts.provider))
    .prepare('sign_in_methods'),
)

export async function readSignInMethods(reader: Database, userId: string) {
  const rows = await query(reader).execute({ userId })
  const linked = rows.flatMap(({ provider, at }): [string, Date][] =>
    provider !== null && at !== null ? [[provider, at]] : [],
  )
  return { password: rows[0]?.password ?? false, linkedAt: new Map(linked) }
}
