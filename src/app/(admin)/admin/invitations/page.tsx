import type { Metadata } from 'next'
import type { Cursor } from 'plinth/db/list'
import { defer, page } from 'plinth/guard/page'
import type { DeferredValue } from 'plinth/universal/deferred-value'
import { urlWith } from 'plinth/universal/url'
import { roles } from 'plinth/universal/users'
import { z } from 'zod'
import { Pagination } from '@/ui/list'
import { Deferred, EmptyState } from '@/ui/page-parts'
import {
  encodeInvitationCursor,
  invitationCursorField,
  invitationsEnabled,
  listInvitations,
} from '../../data/invitations'
import { mayAdminister } from '../../policy'
import { AdminLayout } from '../../ui/admin-layout'
import { InvitationForm } from '../../ui/users/invitation-form'
import { InvitationTable } from '../../ui/users/invitation-table'
import { cancelInvitation, inviteUsers, resendInvitation } from './actions'

export const metadata: Metadata = { title: 'Invitations' }

const query = z.object({
  cursor: invitationCursorField.optional(),
  cancel: z.string().optional(),
  resend: z.string().optional(),
})

export default page(
  {
    name: 'view_invitations',
    path: '/admin/invitations',
    renderCache: true,
    authorize: mayAdminister,
    query,
    load: async ({ query: { cursor } }) =>
      invitationsEnabled() ? defer({ results: listInvitations(cursor) }) : undefined,
  },
  ({ query: { cursor, ...selected }, data }) => (
    <AdminLayout current="/admin/invitations" title="Invitations">
      {data ? <Invitations {...data} cursor={cursor} selected={selected} /> : <InvitationsOff />}
    </AdminLayout>
  ),
)

interface InvitationsProps {
  results: DeferredValue<Awaited<ReturnType<typeof listInvitations>>>
  cursor: Cursor | undefined
  selected: { cancel?: string | undefined; resend?: string | undefined }
}

function Invitations({ results, cursor, selected }: InvitationsProps) {
  return (
    <>
      <InvitationForm send={inviteUsers} roles={roles} />
      <Deferred value={results} label="Loading invitations">
        {({ invitations, next, previous }) => (
          <>
            <InvitationTable
              invitations={invitations}
              fields={cursor ? { cursor: cursor && encodeInvitationCursor(cursor) } : {}}
              cancel={cancelInvitation}
              resend={resendInvitation}
              selected={selected}
              href={pageUrl(cursor)}
            />
            <Pagination
              label="Pages of invitations"
              previousHref={previous && pageUrl(previous)}
              nextHref={next && pageUrl(next)}
            />
          </>
        )}
      </Deferred>
    </>
  )
}

const pageUrl = (cursor: Cursor | undefined) =>
  urlWith('/admin/invitations', { cursor: cursor && encodeInvitationCursor(cursor) })

function InvitationsOff() {
  return (
    <EmptyState title="Invitations are turned off.">
      To let only invited users sign up, set{' '}
      <code className="font-mono text-xs">SIGN_UP=invite</code> and restart. You can then send
      invitations from this page. Each contains a link that works once and expires after seven days.
    </EmptyState>
  )
}
