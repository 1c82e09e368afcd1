import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import { listUserSessions, sessionCursorField } from '@/core/auth/sessions/list'
import { roles } from '@/core/config/roles'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { Deferred } from '@/core/ui/deferred'
import { doneField } from '@/core/ui/done-field'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Section } from '@/core/ui/section'
import { TextLink } from '@/core/ui/text-link'
import { updateUserRole } from '../../../actions'
import { type AuditEvent, listEvents } from '../../../data/audit'
import { findProviders, findUser } from '../../../data/find-user'
import { userId } from '../../../fields'
import { mayAdminister } from '../../../policy'
import { AdminLayout } from '../../../ui/admin-layout'
import { EventTable } from '../../../ui/event-table'
import { Profile } from '../../../ui/profile'
import { RoleForm } from '../../../ui/role-form'
import { DeleteUserForm } from './delete-user-form'
import { Sessions } from './sessions'

export const metadata: Metadata = { title: 'User' }

const params = z.object({ id: userId })
const messages = { session_revoked: 'Session revoked.', sessions_revoked: 'All sessions revoked.' }
const query = z.object({
  done: doneField(messages),
  sessions: sessionCursorField.optional(),
  revoke: z.string().optional(),
})

export default page(
  {
    name: 'view_user',
    path: '/admin/users/[id]',
    renderCache: true,
    authorize: mayAdminister,
    params,
    query,
    load: async ({ scope, params: { id }, query }) => {
      const [user, providers, parts] = await Promise.all([
        findUser(id),
        findProviders(id),
        defer({
          sessions: listUserSessions(id, scope.session.id, query.sessions),
          log: listEvents({ user: id }, { limit: 10 }),
        }),
      ])
      return { user, providers, ...parts }
    },
  },
  ({ scope, params: { id }, query, data: { user, providers, sessions, log } }) => {
    if (!user) notFound()
    return (
      <AdminLayout current="/admin/users" title={user.name}>
        <FlashNotice done={query.done} messages={messages} />
        <Profile user={user} providers={providers} />
        <Section title="Role">
          <RoleForm save={updateUserRole} user={user} roles={roles} />
        </Section>
        <Section id="sessions" title="Sessions">
          <Deferred value={sessions} label="Loading the sessions">
            {(page) => (
              <Sessions page={page} cursor={query.sessions} user={user} selected={query.revoke} />
            )}
          </Deferred>
        </Section>
        <Section title="Recent activity">
          <Deferred value={log} label="Loading the audit log">
            {({ events, next }) => <Events events={events} more={next !== undefined} id={id} />}
          </Deferred>
        </Section>
        <Section title="Delete account">
          <DeleteUserForm user={user} isSelf={id === scope.session.user.id} />
        </Section>
      </AdminLayout>
    )
  },
)

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
