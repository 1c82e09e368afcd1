import type { ListedUser } from '../../data/list-users'
import type { UserActivity } from '../../data/user-activity'
import type { UserRow } from '../../ui/users/user-table'

/** The data of each user that the browser gets. */
export function userRows(
  users: readonly ListedUser[],
  activity: ReadonlyMap<string, UserActivity>,
): UserRow[] {
  return users.map(({ id, name, email, role, createdAt }) => {
    const { status, lastSeenAt, methods = [], isFrozen } = activity.get(id) ?? {}
    return {
      id,
      name,
      email,
      role,
      createdAt: secondsOf(createdAt),
      methods: methods.join(', '),
      ...(lastSeenAt && { seenAt: secondsOf(lastSeenAt) }),
      ...(status === 'inactive' && { inactive: true }),
      ...(isFrozen && { frozen: true }),
    }
  })
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
