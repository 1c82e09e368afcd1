import type { Metadata } from 'next'
import { z } from 'zod'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import type { DeferredValue } from '@/core/ui/deferred'
import { Deferred } from '@/core/ui/deferred'
import { doneField } from '@/core/ui/done-field'
import { EmptyState } from '@/core/ui/empty-state'
import { FlashNotice } from '@/core/ui/flash-notice'
import { type Invitation, invitationsEnabled, listInvitations } from '../../data/invitations'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { InvitationForm } from '../../ui/invitation-form'
import { InvitationTable } from '../../ui/invitation-table'
import { cancelInvitation, inviteUser } from './actions'

export const metadata: Metadata = { title: 'Invitations' }

const messages = {
  invitation_sent: 'Invitation sent.',
  invitation_canceled: 'Invitation canceled. Its link no longer works.',
}

const query = z.object({ done: doneField(messages) })

export default page(
  {
    name: 'view_invitations',
    path: '/admin/invitations',
    authorize: mayAdminister,
    query,
    load: async () =>
      invitationsEnabled() ? defer({ invitations: listInvitations() }) : undefined,
  },
  ({ query: { done }, data }) => (
    <AdminLayout current="/admin/invitations" title="Invitations">
      <FlashNotice done={done} messages={messages} />
      {data ? <Invitations {...data} /> : <InvitationsOff />}
    </AdminLayout>
  ),
)

function Invitations({ invitations }: { invitations: DeferredValue<Invitation[]> }) {
  return (
    <>
      <InvitationForm send={inviteUser} />
      <Deferred value={invitations} label="Loading invitations">
        {(sent) => <InvitationTable invitations={sent} cancel={cancelInvitation} />}
      </Deferred>
    </>
  )
}

function InvitationsOff() {
  return (
    <EmptyState title="Invitations are turned off.">
      To let only invited users sign up, set{' '}
      <code className="font-mono text-xs">SIGN_UP=invite</code> and restart. You can then send
      invitations from this page. Each contains a link that works once and expires after seven days.
    </EmptyState>
  )
}
