'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { Table } from '@/ui/list'
import { ConfirmForm, RowButton, RowDialog } from '@/ui/row-dialog'
import { Badge, LocalTime } from '@/ui/text'

interface InvitationTableProps {
  invitations: readonly {
    email: string
    role: string
    invitedAt: Date
    expiresAt: Date | undefined
  }[]
  /** Sent with the email. */
  fields: Readonly<Record<string, string>>
  cancel: FormAction
  resend: FormAction
  /** The email whose invitation to cancel or send again, from the URL. */
  selected: { cancel?: string | undefined; resend?: string | undefined }
  /** The page that shows these invitations. */
  href: string
}

export function InvitationTable(props: InvitationTableProps) {
  const { invitations, fields, cancel, resend, selected, href } = props
  return (
    <>
      <Table
        caption="Pending invitations"
        rows={invitations}
        rowKey={({ email }) => email}
        empty="No pending invitations."
        columns={[
          { header: 'Email', cell: ({ email }) => <bdi className="break-all">{email}</bdi> },
          {
            header: 'Role',
            cell: ({ role }) => (role === 'admin' ? <Badge tone="warning">admin</Badge> : role),
          },
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
              <span className="inline-flex gap-2">
                <RowButton opens="resend" row={email}>
                  Resend
                </RowButton>
                <RowButton opens="cancel" row={email}>
                  Cancel
                </RowButton>
              </span>
            ),
          },
        ]}
      />
      <RowDialog
        name="resend"
        rows={invitations}
        rowKey={({ email }) => email}
        selected={selected.resend}
        href={href}
        title="Send this invitation again?"
      >
        {({ email }, close) => (
          <ConfirmForm
            action={resend}
            fields={{ ...fields, email }}
            confirm="Send again"
            variant="primary"
            onDone={close}
          >
            <p>
              <bdi>{email}</bdi> gets a new link. The earlier link stops working.
            </p>
          </ConfirmForm>
        )}
      </RowDialog>
      <RowDialog
        name="cancel"
        rows={invitations}
        rowKey={({ email }) => email}
        selected={selected.cancel}
        href={href}
        title="Cancel this invitation?"
        dismiss="Keep invitation"
      >
        {({ email }) => (
          <ConfirmForm action={cancel} fields={{ ...fields, email }} confirm="Cancel invitation">
            <p>
              The link sent to <bdi>{email}</bdi> will stop working. You can send a new invitation
              later.
            </p>
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}
