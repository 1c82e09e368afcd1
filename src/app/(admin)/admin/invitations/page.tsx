import type { Metadata } from 'next'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { type Soon, soon } from '@/core/guard/soon'
import { Panel } from '@/core/ui/panel'
import { invite, withdrawInvitation } from '../../actions'
import { type Invitation, invitationsWork, listInvitations } from '../../data/invitations'
import { mayAdminister } from '../../policy'
import { Frame } from '../../ui/frame'
import { InvitationForm } from '../../ui/invitation-form'
import { InvitationTable } from '../../ui/invitation-table'
import { OutcomeNotice } from '../../ui/outcome'

export const metadata: Metadata = { title: 'Invitations' }

const query = z.object({ done: z.enum(['invited', 'withdrawn']).optional() })

export default page(
  {
    name: 'admin_invitations',
    path: '/admin/invitations',
    who: mayAdminister,
    query,
    load: async ({ scope }) =>
      invitationsWork() ? soon({ invitations: listInvitations(scope) }) : undefined,
  },
  ({ query: { done }, data }) => (
    <Frame current="/admin/invitations">
      <h1 className="mb-6 text-2xl">Invitations</h1>
      <OutcomeNotice done={done} />
      {data ? <Invitations {...data} /> : <NotNeeded />}
    </Frame>
  ),
)

function Invitations({ invitations }: { invitations: Soon<Invitation[]> }) {
  return (
    <>
      <InvitationForm send={invite} />
      <Panel value={invitations} label="The invitations are being fetched">
        {(sent) => <InvitationTable invitations={sent} withdraw={withdrawInvitation} />}
      </Panel>
    </>
  )
}

function NotNeeded() {
  return (
    <div className="max-w-2xl rounded-lg border border-line bg-surface p-6 text-sm">
      <p className="font-medium">Nobody has to be invited here.</p>
      <p className="mt-2 text-muted">
        Invitations are for a service that only invited people can join. Start it with{' '}
        <code className="font-mono text-xs">SIGN_UP=invite</code>, and this page sends them: a link
        that works once, for seven days.
      </p>
    </div>
  )
}
