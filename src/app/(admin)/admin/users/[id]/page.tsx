import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { listUserSessions, sessionCursorField } from 'plinth/auth/sessions/list'
import { currentScope } from 'plinth/auth/sessions/next-session'
import { defer, page } from 'plinth/guard/page'
import { userPagesFor } from 'plinth/modules/installed-modules'
import { roles } from 'plinth/universal/users'
import { z } from 'zod'
import { Deferred, Section } from '@/ui/page-parts'
import { Notice, TextLink } from '@/ui/text'
import { updateUserRole } from '../../../actions'
import { type AuditEvent, listEvents } from '../../../data/audit'
import { findUser } from '../../../data/find-user'
import { findActivity } from '../../../data/user-activity'
import { userId } from '../../../fields'
import { mayAdminister } from '../../../policy'
import { AdminLayout } from '../../../ui/admin-layout'
import { EventTable } from '../../../ui/event-table'
import { Profile } from '../../../ui/users/profile'
import { RoleForm } from '../../../ui/users/role-form'
import { DeleteUserForm } from './delete-user-form'
import { Sessions } from './sessions'

const params = z.object({ id: userId })
const query = z.object({
  sessions: sessionCursorField.optional(),
  revoke: z.string().optional(),
})

/** The name, for those who may see it: the page of a caller who may not has a title too. */
export async function generateMetadata(props: { params: Promise<unknown> }): Promise<Metadata> {
  const given = params.safeParse(await props.params)
  if (!given.success || !mayAdminister(await currentScope())) return {}
  const user = await findUser(given.data.id)
  return user ? { title: user.name } : {}
}

const breadcrumbs = [
  { href: '/admin', label: 'Admin' },
  { href: '/admin/users', label: 'Users' },
]

export default page(
  {
    name: 'view_user',
    path: '/admin/users/[id]',
    renderCache: true,
    authorize: mayAdminister,
    params,
    query,
    load: async ({ scope, params: { id }, query }) => {
      const [user, activity, parts] = await Promise.all([
        findUser(id),
        findActivity([id]),
        defer({
          sessions: listUserSessions(id, scope.session.id, query.sessions),
          log: listEvents({ user: id }, { limit: 10 }),
        }),
      ])
      return { user: user ?? notFound(), activity: activity.get(id) ?? notFound(), ...parts }
    },
  },
  ({ scope, params: { id }, query, data: { user, activity, sessions, log } }) => {
    const isSelf = id === scope.session.user.id
    return (
      <AdminLayout current="/admin/users" title={user.name} breadcrumbs={breadcrumbs}>
        <Profile user={user} activity={activity} />
        {activity.isFrozen && (
          <div className="mt-6">
            <Notice>
              The recovery of this account is open: no one can sign in or change anything.{' '}
              <TextLink href={`/admin/users/${id}/recovery`}>Review and decide</TextLink>
            </Notice>
          </div>
        )}
        <UserPages
          pages={[
            { href: `/admin/users/${id}/recovery`, label: 'Account recovery' },
            ...userPagesFor(scope, id),
          ]}
        />
        <Section title="Role">
          <RoleForm save={updateUserRole} user={user} roles={roles} isSelf={isSelf} />
        </Section>
        <Section title="Recent activity">
          <Deferred value={log} label="Loading the audit log">
            {({ events, next }) => <Events events={events} more={next !== undefined} id={id} />}
          </Deferred>
        </Section>
        <Section id="sessions" title="Sessions">
          <Deferred value={sessions} label="Loading the sessions">
            {(page) => (
              <Sessions
                page={page}
                cursor={query.sessions}
                user={user}
                current={scope.session.id}
                isSelf={isSelf}
                selected={query.revoke}
              />
            )}
          </Deferred>
        </Section>
        <Section title="Delete account">
          <DeleteUserForm user={user} isSelf={isSelf} />
        </Section>
      </AdminLayout>
    )
  },
)

/** Also those of other modules. */
function UserPages({ pages }: { pages: ReturnType<typeof userPagesFor> }) {
  return (
    <p className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {pages.map(({ href, label }) => (
        <TextLink key={href} href={href}>
          {label}
        </TextLink>
      ))}
    </p>
  )
}

function Events({ events, more, id }: { events: AuditEvent[]; more: boolean; id: string }) {
  return (
    <>
      <EventTable caption="Newest first" events={events} empty="No activity yet." />
      {more && (
        <p className="mt-4 text-sm">
          <TextLink href={`/admin/audit?user=${id}`}>View all in the audit log</TextLink>
        </p>
      )}
    </>
  )
}
