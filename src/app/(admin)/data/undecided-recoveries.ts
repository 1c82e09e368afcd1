import 'server-only'
import { asc, eq } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { recoveries, users } from 'plinth/db/schema'

const maxListed = 5

/** Accounts that stay frozen until an admin decides. The oldest first. A deleted one has no name. */
export async function findUndecidedRecoveries() {
  const isUndecided = eq(recoveries.state, 'admin')
  const [listed, count] = await Promise.all([
    database()
      .select({
        userId: recoveries.userId,
        name: users.name,
        email: users.email,
        openedAt: recoveries.openedAt,
      })
      .from(recoveries)
      .leftJoin(users, eq(users.id, recoveries.userId))
      .where(isUndecided)
      .orderBy(asc(recoveries.openedAt))
      .limit(maxListed),
    database().$count(recoveries, isUndecided),
  ])
  return { listed, count }
}
