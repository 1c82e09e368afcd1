import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { roles } from 'plinth/universal/users'
import { z } from 'zod'
import { SelectField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { EmptyState, Section } from '@/ui/page-parts'
import { TextLink } from '@/ui/text'
import { findUsersById } from '../../../data/find-user'
import { findActivity } from '../../../data/user-activity'
import { listUrl, userId } from '../../../fields'
import { mayAdminister } from '../../../policy'
import { AdminLayout } from '../../../ui/admin-layout'
import { totalLabel } from '../../../ui/users/total-label'
import { UserTable } from '../../../ui/users/user-table'
import { userRows } from '../user-rows'
import { revokeSessionsOfUsers, updateUserRoles } from './actions'
import { ChosenUsers } from './chosen-users'

export const metadata: Metadata = { title: 'Change several users' }

/** A form with one checked box sends one value. */
const chosen = z.union([userId.transform((id) => [id]), z.array(userId).max(100)])

const query = z.object({ user: chosen.default([]), list: listUrl.default('/admin/users') })

const breadcrumbs = [
  { href: '/admin', label: 'Admin' },
  { href: '/admin/users', label: 'Users' },
]

/** The step that confirms a change of several users, also without JavaScript. */
export default page(
  {
    name: 'view_chosen_users',
    path: '/admin/users/bulk',
    renderCache: true,
    authorize: mayAdminister,
    query,
    load: async ({ query: { user: ids } }) => {
      const [users, activity] = await Promise.all([findUsersById(ids), findActivity(ids)])
      return { users, activity }
    },
  },
  ({ scope, query: { list }, data: { users, activity } }) => {
    const own = scope.session.user.id
    const others = users.filter(({ id }) => id !== own)
    const ids = others.map(({ id }) => id)
    const count = totalLabel({ count: others.length, exact: true }, 'user', 'users')
    return (
      <AdminLayout
        current="/admin/users"
        title="Change several users"
        breadcrumbs={breadcrumbs}
        actions={<TextLink href={list}>Back to the list</TextLink>}
      >
        {others.length < users.length && (
          <p className="mb-6 text-muted">
            Your own account is left out. You can change it{' '}
            <a className="link" href={`/admin/users/${own}`}>
              on its page
            </a>
            .
          </p>
        )}
        {others.length === 0 ? (
          <EmptyState
            title="No users are selected."
            action={{ href: list, label: 'Back to the list' }}
          >
            Select users in the list, then choose “Change selected users”.
          </EmptyState>
        ) : (
          <>
            <UserTable caption={count} rows={userRows(others, activity)} empty="" />
            <Section title="Change role">
              <Form
                action={updateUserRoles}
                className="max-w-md"
                submitLabel={`Change role of ${count}`}
              >
                <ChosenUsers ids={ids} list={list} />
                <SelectField
                  label="New role"
                  name="role"
                  required
                  options={roles.map((role) => ({ value: role, label: role }))}
                  description="It takes effect immediately."
                />
              </Form>
            </Section>
            <Section title="Revoke sessions">
              <Form
                action={revokeSessionsOfUsers}
                className="max-w-md"
                submitLabel={`Revoke sessions of ${count}`}
              >
                <ChosenUsers ids={ids} list={list} />
                <p className="text-sm text-muted">
                  They are signed out on all devices and can sign in again.
                </p>
              </Form>
            </Section>
          </>
        )}
      </AdminLayout>
    )
  },
)
