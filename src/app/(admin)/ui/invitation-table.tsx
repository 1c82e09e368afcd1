import type { FormAction } from '@/core/ui/action-result'
import { Badge } from '@/core/ui/badge'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { LocalTime } from '@/core/ui/local-time'
import { Table } from '@/core/ui/table'

interface InvitationTableProps {
  invitations: readonly { email: string; invitedAt: Date; expiresAt: Date | undefined }[]
  /** Sent with the email. */
  fields: Readonly<Record<string, string>>
  cancel: FormAction
}

export function InvitationTable({ invitations, fields, cancel }: InvitationTableProps) {
  return (
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
          cell: ({ email }) => (
            <ConfirmButton
              id={`cancel-${email}`}
              action={cancel}
              fields={{ ...fields, email }}
              label="Cancel"
              title="Cancel this invitation?"
              confirm="Cancel invitation"
              dismiss="Keep invitation"
              size="small"
            >
              <p>
                The link sent to {email} will stop working. You can send a new invitation later.
              </p>
            </ConfirmButton>
          ),
        },
      ]}
    />
  )
}
