'use client'

import type { FormAction } from '@/core/ui/action-result'
import { Badge } from '@/core/ui/badge'
import { ConfirmForm } from '@/core/ui/confirm-form'
import { LocalTime } from '@/core/ui/local-time'
import { RowButton, RowDialog } from '@/core/ui/row-dialog'
import { Table } from '@/core/ui/table'

interface InvitationTableProps {
  invitations: readonly { email: string; invitedAt: Date; expiresAt: Date | undefined }[]
  /** Sent with the email. */
  fields: Readonly<Record<string, string>>
  cancel: FormAction
  /** The email whose invitation to cancel, from `?cancel=`. */
  selected: string | undefined
  /** The page that shows these invitations. */
  href: string
}

export function InvitationTable(props: InvitationTableProps) {
  const { invitations, fields, cancel, selected, href } = props
  return (
    <>
      <Table
        caption="Pending invitations"
        rows={invitations}
        rowKey={({ email }) => email}
        empty="No pending invitations."
        columns={[
          { header: 'Email', cell: ({ email }) => <span className="break-all">{email}</span> },
          {
            header: 'Invited',
            cell: ({ invitedAt }) => <LocalTime at={invitedAt} precision="minute" />,
          },
          {
            header: 'Expires',
            cell: ({ expiresAt }) =>
              expiresAt ? <LocalTime at={expiresAt} precision="minute" /> : <Badge>Sending</Badge>,
          },
          {
            header: 'Invitation',
            align: 'end',
            cell: ({ email }) => (
              <RowButton opens="cancel" row={email}>
                Cancel
              </RowButton>
            ),
          },
        ]}
      />
      <RowDialog
        name="cancel"
        rows={invitations}
        rowKey={({ email }) => email}
        selected={selected}
        href={href}
        title="Cancel this invitation?"
        dismiss="Keep invitation"
      >
        {({ email }) => (
          <ConfirmForm action={cancel} fields={{ ...fields, email }} confirm="Cancel invitation">
            <p>The link sent to {email} will stop working. You can send a new invitation later.</p>
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}
