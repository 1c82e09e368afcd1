'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { Table } from '@/ui/list'
import { ConfirmForm, RowButton, RowDialog } from '@/ui/row-dialog'
import { Badge, LocalTime } from '@/ui/text'

interface SessionTableProps {
  sessions: readonly {
    id: string
    device: string
    ip: string
    createdAt: Date
    expiresAt: Date
    isCurrent?: boolean
  }[]
  user: { name: string }
  /** Sent with the session. */
  fields: Readonly<Record<string, string>>
  revoke: FormAction
  /** The session to revoke, from `?revoke=`. */
  selected: string | undefined
  /** The page that shows these sessions. */
  href: string
}

export function SessionTable(props: SessionTableProps) {
  const { sessions, user, fields, revoke, selected, href } = props
  return (
    <>
      <Table
        caption="Active sessions"
        rows={sessions}
        rowKey={({ id }) => id}
        empty="This user is not signed in on any device."
        columns={[
          {
            header: 'Device',
            cell: ({ device, isCurrent }) => (
              <>
                {device} {isCurrent && <Badge tone="positive">This device</Badge>}
              </>
            ),
          },
          { header: 'IP address', cell: ({ ip }) => <span className="break-all">{ip}</span> },
          {
            header: 'Signed in',
            cell: ({ createdAt }) => <LocalTime at={createdAt} precision="minute" />,
          },
          { header: 'Expires', cell: ({ expiresAt }) => <LocalTime at={expiresAt} /> },
          {
            header: 'Session',
            align: 'end',
            cell: ({ id }) => (
              <RowButton opens="revoke" row={id}>
                Revoke
              </RowButton>
            ),
          },
        ]}
      />
      <RowDialog
        name="revoke"
        rows={sessions}
        rowKey={({ id }) => id}
        selected={selected}
        href={href}
        title="Revoke this session?"
      >
        {({ id, device, isCurrent }) => (
          <ConfirmForm
            action={revoke}
            fields={{ ...fields, sessionId: id }}
            confirm="Revoke session"
          >
            {isCurrent ? (
              <p>This is the session that you use now. You are signed out on this device.</p>
            ) : (
              <p>
                <bdi>{user.name}</bdi> will be signed out on {device}.
              </p>
            )}
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}
