import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import type { ListedSession } from '@/core/auth/sessions/list'
import { roles } from '@/core/config/roles'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { Deferred } from '@/core/ui/deferred'
import { doneField } from '@/core/ui/done-field'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Section } from '@/core/ui/section'
import { TextLink } from '@/core/ui/text-link'
import { revokeAllUserSessions, revokeUserSession, updateUserRole } from '../../../actions'
import { type AuditEvent, listEvents } from '../../../data/audit'
import { findProviders, findSessions, findUser, type User } from '../../../data/find-user'
import { userId } from '../../../fields'
import { mayAdminister } from '../../../policy'
import { AdminLayout } from '../../../ui/admin-layout'
import { EventTable } from '../../../ui/event-table'
import { Profile } from '../../../ui/profile'
import { RoleForm } from '../../../ui/role-form'
import { SessionTable } from '../../../ui/session-table'
import { DeleteUserForm } from './delete-user-form'

export const metadata: Metadata = { title: 'User' }

const params = z.object({ id: userId })
const messages = { session_revoked: 'Session revoked.', sessions_revoked: 'All sessions revoked.' }
const query = z.object({ done: doneField(messages) })

export default page(
  {
    name: 'view_user',
    path: '/admin/users/[id]',
    authorize: mayAdminister,
    params,
    query,
    load: async ({ params: { id } }) => {
      const [user, providers, parts] = await Promise.all([
        findUser(id),
        findProviders(id),
        defer({
          sessions: findSessions(id),
          log: listEvents({ user: id }, { limit: 10 }),
        }),
      ])
      return { user, providers, ...parts }
    },
  },
  ({ scope, params: { id }, query: { done }, data: { user, providers, sessions, log } }) => {
    if (!user) notFound()
    return (
      <AdminLayout current="/admin/users" title={user.name}>
        <FlashNotice done={done} messages={messages} />
        <Profile user={user} providers={providers} />
        <Section title="Role">
          <RoleForm save={updateUserRole} user={user} roles={roles} />
        </Section>
        <Section title="Sessions">
          <Deferred value={sessions} label="Loading the sessions">
            {(shown) => <Sessions sessions={shown} user={user} />}
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

function Sessions({ sessions, user }: { sessions: ListedSession[]; user: User }) {
  return (
    <>
      <SessionTable sessions={sessions} userId={user.id} revoke={revokeUserSession} />
      {sessions.length > 0 && (
        <div className="mt-4">
          <ConfirmButton
            id="revoke-sessions"
            action={revokeAllUserSessions}
            fields={{ userId: user.id }}
            label="Revoke all sessions"
            title="Revoke all sessions?"
            confirm="Revoke sessions"
          >
            <p>{user.name} will be signed out on all devices and can sign in again.</p>
          </ConfirmButton>
        </div>
      )}
    </>
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
