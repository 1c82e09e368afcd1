import type { Metadata } from 'next'
import { z } from 'zod'
import { roles } from '@/core/auth/roles'
import { page } from '@/core/guard/page'
import { soon } from '@/core/guard/soon'
import { Button, ButtonLink } from '@/core/ui/button'
import { Panel } from '@/core/ui/panel'
import { updateUserRole } from '../../actions'
import { cursorText } from '../../cursor'
import { type Total, totalOf } from '../../data/count-users'
import { listUsers } from '../../data/list-users'
import { mayAdminister } from '../../policy'
import { FilterInput, FilterSelect } from '../../ui/filter'
import { Frame } from '../../ui/frame'
import { OutcomeNotice } from '../../ui/outcome'
import { sayTotal } from '../../ui/say-total'
import { UserTable } from '../../ui/user-table'
import { type UsersQuery, usersQuery } from '../../users-query'

export const metadata: Metadata = { title: 'People' }

const query = usersQuery.safeExtend({ done: z.literal('deleted').optional() })

export default page(
  {
    name: 'admin_users',
    path: '/admin/users',
    who: mayAdminister,
    query,
    load: ({ scope, query: { done: _, ...wanted } }) =>
      soon({ found: Promise.all([listUsers(scope, wanted), totalOf(scope, wanted)]) }),
  },
  ({ query: { done, ...wanted }, data: { found } }) => (
    <Frame current="/admin/users">
      <h1 className="mb-6 text-2xl">People</h1>
      <OutcomeNotice done={done} />
      <Search wanted={wanted} />
      <Panel value={found} label="The people are being fetched">
        {([page, total]) => <List page={page} total={total} wanted={wanted} />}
      </Panel>
    </Frame>
  ),
)

const anyRole = { value: '', label: 'All roles' }

const sortLabels = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'By name' },
  { value: 'email', label: 'By e-mail' },
]

function Search({ wanted: { query, role, sort } }: { wanted: UsersQuery }) {
  const roleOptions = [anyRole, ...roles.map((role) => ({ value: role, label: role }))]
  return (
    <search className="mb-6">
      <form className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[1fr_auto_auto_auto]">
        <FilterInput
          label="Part of the name or e-mail"
          name="query"
          type="search"
          maxLength={200}
          defaultValue={query}
          className="col-span-2 sm:col-span-1"
        />
        <FilterSelect label="Role" name="role" options={roleOptions} chosen={role} />
        <FilterSelect label="Order" name="sort" options={sortLabels} chosen={sort} />
        <Button type="submit" className="col-span-2 sm:col-span-1">
          Show
        </Button>
      </form>
    </search>
  )
}

interface ListProps {
  page: Awaited<ReturnType<typeof listUsers>>
  total: Total
  wanted: UsersQuery
}

function List({ page: { users, next }, total, wanted }: ListProps) {
  return (
    <>
      <UserTable
        users={users}
        caption={sayTotal(total, 'person', 'people')}
        saveRole={updateUserRole}
        roles={roles}
      />
      <div className="mt-6 flex flex-wrap gap-3">
        {wanted.cursor && (
          <ButtonLink href={addressOf(wanted)} variant="quiet">
            Back to the start
          </ButtonLink>
        )}
        {next && (
          <ButtonLink href={addressOf(wanted, cursorText(next))} variant="secondary">
            Next page
          </ButtonLink>
        )}
      </div>
    </>
  )
}

function addressOf({ query, role, sort }: UsersQuery, cursor?: string): string {
  const given = Object.entries({ query, role, sort, cursor }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return `/admin/users?${new URLSearchParams(given)}`
}
