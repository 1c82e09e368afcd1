import type { Metadata } from 'next'
import { z } from 'zod'
import { defer } from '@/core/guard/deferred'
import { page } from '@/core/guard/page'
import type { DeferredValue } from '@/core/ui/deferred'
import { Deferred } from '@/core/ui/deferred'
import { cancelInvitation, inviteUser } from '../../actions'
import { type Invitation, invitationsEnabled, listInvitations } from '../../data/invitations'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { AdminNotice } from '../../ui/admin-notice'
import { InvitationForm } from '../../ui/invitation-form'
import { InvitationTable } from '../../ui/invitation-table'

export const metadata: Metadata = { title: 'Invitations' }

const query = z.object({ done: z.enum(['invitation_sent', 'invitation_canceled']).optional() })

export default page(
  {
    name: 'view_invitations',
    path: '/admin/invitations',
    authorize: mayAdminister,
    query,
    load: async ({ scope }) =>
      invitationsEnabled() ? defer({ invitations: listInvitations(scope) }) : undefined,
  },
  ({ query: { done }, data }) => (
    <AdminLayout current="/admin/invitations">
      <h1 className="mb-6 text-2xl">Invitations</h1>
      <AdminNotice done={done} />
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
    <div className="max-w-2xl rounded-lg border border-line bg-surface p-6 text-sm">
      <p className="font-medium">Invitations are turned off.</p>
      <p className="mt-2 text-muted">
        To let only invited users sign up, set{' '}
        <code className="font-mono text-xs">SIGN_UP=invite</code> and restart. You can then send
        invitations from this page. Each contains a link that works once and expires after seven
        days.
      </p>
    </div>
  )
}
