import 'server-only'
import { record } from 'plinth/audit/record'
import { database } from 'plinth/db/client'
import type { SignedInScope } from 'plinth/guard/policy'
import { csvLine } from '../csv'
import type { UserCursor } from '../cursor'
import { findUsers, type ListedUser, type ListOptions } from './list-users'
import { findActivity, type UserActivity } from './user-activity'

const batchSize = 1000

/** The filtered users as CSV, of any length. Each batch is read when the client wants it. */
export async function* exportUsers(
  filter: Pick<ListOptions, 'query' | 'role' | 'sort'>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  let cursor: UserCursor | undefined
  do {
    const { users, next } = await findUsers({ ...filter, cursor, limit: batchSize })
    const activity = await findActivity(users.map(({ id }) => id))
    if (users.length > 0) yield users.map((user) => userLine(user, activity.get(user.id))).join('')
    cursor = next
  } while (cursor)
}

export async function recordUserExport({ session, ip, requestId }: SignedInScope) {
  await record(database(), {
    action: 'export_users',
    outcome: 'success',
    actorId: session.user.id,
    ip,
    requestId,
  })
}

const columns = [
  'id',
  'email',
  'name',
  'role',
  'created_at',
  'last_seen_at',
  'status',
  'sign_in_methods',
]

function userLine(user: ListedUser, activity: UserActivity | undefined): string {
  const { id, email, name, role, createdAt } = user
  return csvLine([
    id,
    email,
    name,
    role,
    createdAt.toISOString(),
    activity?.lastSeenAt?.toISOString(),
    activity?.status,
    activity?.methods.join(', '),
  ])
}
