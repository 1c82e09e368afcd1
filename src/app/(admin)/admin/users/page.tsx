import type { Metadata } from 'next'
import { z } from 'zod'
import { roles } from '@/core/config/roles'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { pageSize } from '@/core/http/fields'
import { Deferred } from '@/core/ui/deferred'
import { doneField } from '@/core/ui/done-field'
import { FilterForm, FilterInput, FilterSelect } from '@/core/ui/filter-form'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Pagination } from '@/core/ui/pagination'
import { urlWith } from '@/core/ui/url'
import { updateUserRole } from '../../actions'
import { encodeCursor, type UserCursor } from '../../cursor'
import { countUsers, type Total } from '../../data/count-users'
import { findUsers } from '../../data/list-users'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { totalLabel } from '../../ui/total-label'
import { UserTable } from '../../ui/user-table'
import { type UsersQuery, usersQuery } from '../../users-query'

export const metadata: Metadata = { title: 'Users' }

const messages = { user_deleted: 'Account deleted.' }

const query = usersQuery.safeExtend({
  done: doneField(messages),
  change: z.string().optional(),
})

export default page(
  {
    name: 'view_users',
    path: '/admin/users',
    renderCache: true,
    authorize: mayAdminister,
    query,
    load: ({ query: { done: _, change: __, ...filter } }) =>
      defer({ results: Promise.all([findUsers(filter), countUsers(filter)]) }),
  },
  ({ query: { done, change, ...filter }, data: { results } }) => (
    <AdminLayout current="/admin/users" title="Users">
      <FlashNotice done={done} messages={messages} />
      <Search filter={filter} />
      <Deferred value={results} label="Loading users">
        {([page, total]) => <List page={page} total={total} filter={filter} selected={change} />}
      </Deferred>
    </AdminLayout>
  ),
)

const anyRole = { value: '', label: 'All roles' }

const sortLabels = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'Name' },
  { value: 'email', label: 'Email' },
]

function Search({ filter: { query, role, sort } }: { filter: UsersQuery }) {
  const roleOptions = [anyRole, ...roles.map((role) => ({ value: role, label: role }))]
  return (
    <FilterForm submitLabel="Search" clearHref={query || role ? '/admin/users' : undefined}>
      <FilterInput
        label="Search by name or email"
        name="query"
        type="search"
        maxLength={200}
        defaultValue={query}
        wide
      />
      <FilterSelect label="Role" name="role" options={roleOptions} selected={role} />
      <FilterSelect label="Sort" name="sort" options={sortLabels} selected={sort} />
    </FilterForm>
  )
}

interface ListProps {
  page: Awaited<ReturnType<typeof findUsers>>
  total: Total
  filter: UsersQuery
  selected: string | undefined
}

function List({ page: { users, next, previous }, total, filter, selected }: ListProps) {
  const { query, role, sort } = filter
  const limit = filter.limit === pageSize.default ? undefined : String(filter.limit)
  const pageUrl = (cursor: UserCursor | undefined) =>
    urlWith('/admin/users', { query, role, sort, limit, cursor: cursor && encodeCursor(cursor) })
  return (
    <>
      <UserTable
        users={users}
        caption={totalLabel(total, 'user', 'users')}
        saveRole={updateUserRole}
        roles={roles}
        selected={selected}
        href={pageUrl(filter.cursor)}
      />
      <Pagination
        label="Pages of users"
        previousHref={previous && pageUrl(previous)}
        nextHref={next && pageUrl(next)}
      />
    </>
  )
}
