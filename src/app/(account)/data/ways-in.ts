import 'server-only'
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { type Database, database } from '@/core/db/client'
import { prepared } from '@/core/db/prepared'
import { accounts, passwords, users } from '@/core/db/schema'
import { env } from '@/core/env'
import { type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { mayUseAccount } from '../policy'
import { canDoWithout } from '../ways-left'

export type WayIn = {
  id: string
  name: string
  /** Undefined when it is not linked. */
  linkedAt: Date | undefined
  /** It is linked, and not the last way in. */
  canBeUnlinked: boolean
}

/** How somebody can sign in, and how else they could. */
export async function findWaysIn(
  scope: SignedInScope,
): Promise<{ password: boolean; providers: WayIn[] }> {
  const { password, linkedAt } = await stored(database(), scope.session.user.id)
  const known = env().providers
  const ways = { password, linked: [...linkedAt.keys()] }
  const configured = known.map(({ id }) => id)
  const names = new Map<string, string>([
    ...known.map(({ id, name }) => [id, name] as const),
    // Its keys are gone, but the link is still there to be removed.
    ...ways.linked.filter((id) => !configured.some((other) => other === id)).map(itself),
  ])
  const providers = [...names].map(([id, name]) => ({
    id,
    name,
    linkedAt: linkedAt.get(id),
    canBeUnlinked: linkedAt.has(id) && canDoWithout(id, ways, configured),
  }))
  return { password, providers }
}

/**
 * Never the last way in. The person is locked, as by everybody who changes what is theirs: of two
 * who unlink at once the second sees what the first has left.
 */
export async function unlinkAccount(
  scope: SignedInScope,
  provider: string,
): Promise<{ unlinked: string } | Refusal> {
  const { id } = scope.session.user
  return change(
    scope,
    { name: 'unlink_account', who: mayUseAccount, target: id, details: { by: provider } },
    async (transaction) => {
      const { password, linkedAt } = await stored(transaction, id)
      if (!linkedAt.has(provider)) {
        return refuse('conflict', 'This service is not linked to your account any more.')
      }
      const configured = env().providers.map((known) => known.id)
      if (!canDoWithout(provider, { password, linked: [...linkedAt.keys()] }, configured)) {
        return refuse('conflict', 'This is your last way in. Set a password first.')
      }
      await transaction
        .delete(accounts)
        .where(and(eq(accounts.userId, id), eq(accounts.provider, provider)))
      return { unlinked: provider }
    },
  )
}

/** The person, once for each service that is linked. */
const query = prepared((reader) =>
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
    .prepare('ways_in'),
)

async function stored(reader: Database, userId: string) {
  const rows = await query(reader).execute({ userId })
  const linked = rows.flatMap(({ provider, at }): [string, Date][] =>
    provider !== null && at !== null ? [[provider, at]] : [],
  )
  return { password: rows[0]?.password ?? false, linkedAt: new Map(linked) }
}

function itself(id: string): [string, string] {
  return [id, id]
}
