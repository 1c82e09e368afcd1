import type { ComponentProps } from 'react'
import { Badge } from '@/core/ui/badge'
import { Confirm } from '@/core/ui/confirm'
import { LocalTime } from '@/core/ui/local-time'
import { OneButtonForm } from '@/core/ui/one-button-form'
import { Table } from '@/core/ui/table'

interface InvitationTableProps {
  invitations: readonly { email: string; invitedAt: Date; expiresAt: Date | undefined }[]
  withdraw: ComponentProps<typeof OneButtonForm>['act']
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
            <Confirm
              id={`withdraw-${email}`}
              label="Withdraw"
              title="Withdraw this invitation?"
              size="small"
            >
              <p>The link that {email} got no longer works. You can invite them again.</p>
              <OneButtonForm
                act={withdraw}
                fields={{ email }}
                label="Withdraw the invitation"
                variant="danger"
                className="mt-5"
              />
            </Confirm>
          ),
        },
      ]}
    />
  )
}
