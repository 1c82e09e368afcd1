import { pageSize } from 'plinth/http/fields'
import { urlWith } from 'plinth/universal/url'
import { Button } from '@/ui/button'
import { HiddenFields } from '@/ui/forms/field-layout'
import { Pagination } from '@/ui/list'
import { encodeCursor, type UserCursor } from '../../cursor'
import type { Total } from '../../data/count-users'
import type { ListedUser } from '../../data/list-users'
import type { UserActivity } from '../../data/user-activity'
import type { Sort } from '../../fields'
import { totalLabel } from '../../ui/users/total-label'
import { UserTable } from '../../ui/users/user-table'
import type { UsersQuery } from '../../users-query'
import { userRows } from './user-rows'

interface UserListProps {
  page: {
    users: ListedUser[]
    activity: ReadonlyMap<string, UserActivity>
    next: UserCursor | undefined
    previous: UserCursor | undefined
  }
  total: Total
  filter: UsersQuery
}

/** The form leads to a page that shows the chosen users and asks what to do with them. */
export function UserList({ page, total, filter }: UserListProps) {
  const { users, activity, next, previous } = page
  const { query, role, cursor } = filter
  const limit = filter.limit === pageSize.default ? undefined : String(filter.limit)
  const sorted = (sort: Sort) => urlWith('/admin/users', { query, role, sort, limit })
  const pageUrl = (cursor: UserCursor | undefined) =>
    urlWith('/admin/users', {
      query,
      role,
      sort: filter.sort,
      limit,
      cursor: cursor && encodeCursor(cursor),
    })
  return (
    <>
      <form action="/admin/users/bulk">
        <HiddenFields fields={{ list: pageUrl(cursor) }} />
        <UserTable
          caption={totalLabel(total, 'user', 'users')}
          rows={userRows(users, activity)}
          empty="No users match your search. Try fewer letters or a different role."
          nameSort={sortBy('name', 'name_desc', filter.sort, sorted)}
          createdSort={sortBy('oldest', 'newest', filter.sort, sorted)}
          selectable
        />
        {users.length > 0 && (
          <Button type="submit" variant="secondary" className="mt-4">
            Change selected users
          </Button>
        )}
      </form>
      <Pagination
        label="Pages of users"
        previousHref={previous && pageUrl(previous)}
        nextHref={next && pageUrl(next)}
      />
    </>
  )
}

/** The link of a column header: the other direction, if the list is sorted by it already. */
function sortBy(ascending: Sort, descending: Sort, current: Sort, url: (sort: Sort) => string) {
  if (current === ascending) return { href: url(descending), direction: 'ascending' as const }
  if (current === descending) return { href: url(ascending), direction: 'descending' as const }
  return { href: url(ascending), direction: undefined }
}
