import 'server-only'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { providerName } from 'plinth/auth/oauth/configured-providers'
import { database } from 'plinth/db/client'
import { users } from 'plinth/db/schema'

type UserStatus = 'active' | 'inactive' | 'never_signed_in'

export type UserActivity = {
  /** The last audited action, or the last use of a session, which is stored at most once a day. */
  lastSeenAt: Date | undefined
  /** Active within the last 30 days, after which an unused session ends. */
  status: UserStatus
  /** Names of the sign-in methods. */
  methods: string[]
  /** Its recovery is open, so no one can sign in. */
  isFrozen: boolean
}

/** The activity by user id, for users that are already read: a page of a list, or one user. */
export async function findActivity(ids: readonly string[]): Promise<Map<string, UserActivity>> {
  if (ids.length === 0) return new Map()
  const rows = await database()
    .select({ id: users.id, hasPassword, providers, lastSeenAt: lastSeen, isActive, isFrozen })
    .from(users)
    .where(inArray(users.id, [...ids]))
  return new Map(rows.map(({ id, ...row }) => [id, toActivity(row)]))
}

type Row = {
  hasPassword: boolean
  providers: string
  lastSeenAt: Date | null
  isActive: boolean
  isFrozen: boolean
}

function toActivity(row: Row): UserActivity {
  const { hasPassword, providers, lastSeenAt, isActive, isFrozen } = row
  const linked = providers === '' ? [] : providers.split(',').map(providerName)
  return {
    lastSeenAt: lastSeenAt ?? undefined,
    status: statusOf(lastSeenAt, isActive),
    methods: [...(hasPassword ? ['Password'] : []), ...linked],
    isFrozen,
  }
}

function statusOf(lastSeenAt: Date | null, isActive: boolean): UserStatus {
  if (!lastSeenAt) return 'never_signed_in'
  return isActive ? 'active' : 'inactive'
}

// Each is found in an index by the user's id. The columns are text: Drizzle writes `${users.id}` without
// the table, and in a subquery it would be another one.

/** Shows that a password is set, without reading the hash. */
const hasPassword = sql<boolean>`exists (
  select from passwords where passwords.user_id = users.id
)`

const isFrozen = sql<boolean>`exists (
  select from recoveries where recoveries.user_id = users.id
)`

const providers = sql<string>`coalesce((
  select string_agg(provider, ',' order by provider) from accounts
  where accounts.user_id = users.id
), '')`

const lastSeenAt = sql`greatest(
  (select max(last_seen_at) from sessions where sessions.user_id = users.id),
  (select max(at) from audit_events where audit_events.actor_id = users.id)
)`

const lastSeen = lastSeenAt.mapWith(users.createdAt) as SQL<Date | null>

const isActive = sql<boolean>`coalesce(${lastSeenAt} > now() - interval '30 days', false)`
