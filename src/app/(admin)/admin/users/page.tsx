import type { Metadata } from 'next'
import { z } from 'zod'
import { roles } from '@/core/config/roles'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { Button, ButtonLink } from '@/core/ui/button'
import { Deferred } from '@/core/ui/deferred'
import { updateUserRole } from '../../actions'
import { encodeCursor } from '../../cursor'
import { countUsers, type Total } from '../../data/count-users'
import { listUsers } from '../../data/list-users'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { AdminNotice } from '../../ui/admin-notice'
import { FilterInput, FilterSelect } from '../../ui/filter'
import { totalLabel } from '../../ui/total-label'
import { UserTable } from '../../ui/user-table'
import { type UsersQuery, usersQuery } from '../../users-query'

export const metadata: Metadata = { title: 'Users' }

const query = usersQuery.safeExtend({ done: z.literal('user_deleted').optional() })

export default page(
  {
    name: 'view_users',
    path: '/admin/users',
    authorize: mayAdminister,
    query,
    load: ({ scope, query: { done: _, ...filter } }) =>
      defer({ results: Promise.all([listUsers(scope, filter), countUsers(scope, filter)]) }),
  },
  ({ query: { done, ...filter }, data: { results } }) => (
    <AdminLayout current="/admin/users">
      <h1 className="mb-6 text-2xl">Users</h1>
      <AdminNotice done={done} />
      <Search filter={filter} />
      <Deferred value={results} label="Loading users">
        {([page, total]) => <List page={page} total={total} filter={filter} />}
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
    <search className="mb-6">
      <form className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[1fr_auto_auto_auto]">
        <FilterInput
          label="Search by name or email"
          name="query"
          type="search"
          maxLength={200}
          defaultValue={query}
          className="col-span-2 sm:col-span-1"
        />
        <FilterSelect label="Role" name="role" options={roleOptions} chosen={role} />
        <FilterSelect label="Sort" name="sort" options={sortLabels} chosen={sort} />
        <Button type="submit" className="col-span-2 sm:col-span-1">
          Search
        </Button>
      </form>
    </search>
  )
}

interface ListProps {
  page: Awaited<ReturnType<typeof listUsers>>
  total: Total
  filter: UsersQuery
}

function List({ page: { users, next }, total, filter }: ListProps) {
  return (
    <>
      <UserTable
        users={users}
        caption={totalLabel(total, 'user', 'users')}
        saveRole={updateUserRole}
        roles={roles}
      />
      <div className="mt-6 flex flex-wrap gap-3">
        {filter.cursor && (
          <ButtonLink href={pageUrl(filter)} variant="quiet">
            First page
          </ButtonLink>
        )}
        {next && (
          <ButtonLink href={pageUrl(filter, encodeCursor(next))} variant="secondary">
            Next page
          </ButtonLink>
        )}
      </div>
    </>
  )
}

function pageUrl({ query, role, sort }: UsersQuery, cursor?: string): string {
  const params = Object.entries({ query, role, sort, cursor }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return `/admin/users?${new URLSearchParams(params)}`
}
