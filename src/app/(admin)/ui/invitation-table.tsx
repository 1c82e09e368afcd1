import type { ComponentProps } from 'react'
import { Badge } from '@/core/ui/badge'
import { ConfirmedForm } from '@/core/ui/confirmed-form'
import { LocalTime } from '@/core/ui/local-time'
import { Table } from '@/core/ui/table'

interface InvitationTableProps {
  invitations: readonly { email: string; invitedAt: Date; expiresAt: Date | undefined }[]
  withdraw: ComponentProps<typeof ConfirmedForm>['act']
}

export function InvitationTable({ invitations, withdraw }: InvitationTableProps) {
  return (
    <Table
      caption="Sent and not yet used"
      rows={invitations}
      rowKey={({ email }) => email}
      empty="Nobody is invited at the moment."
      columns={[
        { header: 'E-mail', cell: ({ email }) => <span className="break-all">{email}</span> },
        {
          header: 'Invited',
          cell: ({ invitedAt }) => <LocalTime at={invitedAt} precision="minute" />,
        },
        {
          header: 'Works until',
          cell: ({ expiresAt }) =>
            expiresAt ? <LocalTime at={expiresAt} precision="minute" /> : <Badge>on its way</Badge>,
        },
        {
          header: 'Withdraw',
          cell: ({ email }) => (
            <ConfirmedForm
              id={`withdraw-${email}`}
              act={withdraw}
              fields={{ email }}
              label="Withdraw"
              title="Withdraw this invitation?"
              confirm="Withdraw the invitation"
              size="small"
            >
              <p>The link that {email} got no longer works. You can invite them again.</p>
            </ConfirmedForm>
          ),
        },
      ]}
    />
  )
}
