import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { z } from 'zod'
import type { ShownSession } from '@/core/auth/list-sessions'
import { roles } from '@/core/auth/roles'
import { page } from '@/core/guard/page'
import { soon } from '@/core/guard/soon'
import { ConfirmedForm } from '@/core/ui/confirmed-form'
import { Panel } from '@/core/ui/panel'
import { TextLink } from '@/core/ui/text-link'
import { endUserSession, endUserSessions, updateUserRole } from '../../../actions'
import { type AuditEvent, listEvents } from '../../../data/audit'
import { findUser, providersOf, sessionsOf, type User } from '../../../data/find-user'
import { userId } from '../../../fields'
import { mayAdminister } from '../../../policy'
import { EventTable } from '../../../ui/event-table'
import { Frame } from '../../../ui/frame'
import { OutcomeNotice } from '../../../ui/outcome'
import { Profile } from '../../../ui/profile'
import { RoleForm } from '../../../ui/role-form'
import { Section } from '../../../ui/section'
import { SessionTable } from '../../../ui/session-table'
import { Deletion } from './deletion'

export const metadata: Metadata = { title: 'Person' }

const params = z.object({ id: userId })
const query = z.object({ done: z.enum(['session_ended', 'sessions_ended']).optional() })

export default page(
  {
    name: 'admin_user',
    path: '/admin/users/[id]',
    who: mayAdminister,
    params,
    query,
    load: async ({ scope, params: { id } }) => {
      const [user, providers, parts] = await Promise.all([
        findUser(scope, id),
        providersOf(scope, id),
        soon({
          sessions: sessionsOf(scope, id),
          trail: listEvents(scope, { person: id }, { limit: 10 }),
        }),
      ])
      return { user, providers, ...parts }
    },
  },
  ({ scope, params: { id }, query: { done }, data: { user, providers, sessions, trail } }) => {
    if (!user) notFound()
    return (
      <Frame current="/admin/users">
        <OutcomeNotice done={done} />
        <h1 className="text-2xl break-words">{user.name}</h1>
        <Profile user={user} providers={providers} />
        <Section title="Role">
          <RoleForm save={updateUserRole} user={user} roles={roles} />
        </Section>
        <Section title="Sessions">
          <Panel value={sessions} label="The sessions are being fetched">
            {(shown) => <Sessions sessions={shown} user={user} />}
          </Panel>
        </Section>
        <Section title="What happened lately">
          <Panel value={trail} label="The trail is being fetched">
            {({ events, next }) => <Events events={events} more={next !== undefined} id={id} />}
          </Panel>
        </Section>
        <Section title="Deletion">
          <Deletion user={user} isSelf={id === scope.session.user.id} />
        </Section>
      </Frame>
    )
  },
)

function Sessions({ sessions, user }: { sessions: ShownSession[]; user: User }) {
  return (
    <>
      <SessionTable sessions={sessions} userId={user.id} end={endUserSession} />
      {sessions.length > 0 && (
        <div className="mt-4">
          <ConfirmedForm
            id="end-sessions"
            act={endUserSessions}
            fields={{ userId: user.id }}
            label="End all sessions"
            title="End all sessions?"
            confirm="End all of them"
          >
            <p>{user.name} is signed out on every device, at once, and can sign in again.</p>
          </ConfirmedForm>
        </div>
      )}
    </>
  )
}

function Events({ events, more, id }: { events: AuditEvent[]; more: boolean; id: string }) {
  return (
    <>
      <EventTable caption="The newest first" events={events} empty="Nothing is recorded yet." />
      {more && (
        <p className="mt-4 text-sm">
          <TextLink href={`/admin/audit?person=${id}`}>All of it in the audit trail</TextLink>
        </p>
      )}
    </>
  )
}
