import type { Metadata } from 'next'
import { defer, page } from 'plinth/guard/page'
import { urlWith } from 'plinth/universal/url'
import { roles } from 'plinth/universal/users'
import { ButtonLink } from '@/ui/button'
import { FilterForm, FilterInput, FilterSelect } from '@/ui/forms/filter-form'
import { LiveSearch } from '@/ui/forms/live-search'
import { Deferred } from '@/ui/page-parts'
import { countUsers } from '../../data/count-users'
import { findUsers, type ListOptions } from '../../data/list-users'
import { findActivity } from '../../data/user-activity'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { type UsersQuery, usersQuery } from '../../users-query'
import { UserList } from './user-list'

export const metadata: Metadata = { title: 'Users' }

export default page(
  {
    name: 'view_users',
    path: '/admin/users',
    renderCache: true,
    authorize: mayAdminister,
    query: usersQuery,
    load: ({ query }) => defer({ results: Promise.all([findPage(query), countUsers(query)]) }),
  },
  ({ query: filter, data: { results } }) => (
    <AdminLayout current="/admin/users" title="Users" actions={<Export filter={filter} />}>
      <Search filter={filter} />
      <Deferred value={results} label="Loading users">
        {([page, total]) => <UserList page={page} total={total} filter={filter} />}
      </Deferred>
    </AdminLayout>
  ),
)

async function findPage(options: ListOptions) {
  const { users, ...cursors } = await findUsers(options)
  return { users, activity: await findActivity(users.map(({ id }) => id)), ...cursors }
}

function Export({ filter: { query, role, sort } }: { filter: UsersQuery }) {
  const href = urlWith('/api/admin/users.csv', { query, role, sort })
  return (
    <ButtonLink href={href} variant="secondary" size="small">
      Download CSV
    </ButtonLink>
  )
}

const anyRole = { value: '', label: 'All roles' }

const sortLabels = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'Name' },
  { value: 'name_desc', label: 'Name, Z to A' },
  { value: 'email', label: 'Email' },
  { value: 'email_desc', label: 'Email, Z to A' },
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
      <LiveSearch />
    </FilterForm>
  )
}
