'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { Table } from '@/ui/list'
import { ConfirmForm, RowButton, RowDialog } from '@/ui/row-dialog'
import { Badge, LocalTime } from '@/ui/text'

interface ListedSession {
  id: string
  current: boolean
  device: string
  ip: string
  createdAt: Date
  lastSeenAt: Date
}

interface SessionListProps {
  sessions: readonly ListedSession[]
  revoke: FormAction
  /** The cursor of the page, to which revoking a session leads back. */
  cursor: string | undefined
  /** The session to revoke, from `?revoke=`. */
  selected: string | undefined
  /** The page that shows these sessions. */
  href: string
}

export function SessionList(props: SessionListProps) {
  const { sessions, revoke, cursor, selected, href } = props
  return (
    <>
      <Table
        caption="Active sessions"
        rows={sessions}
        rowKey={({ id }) => id}
        // The session of this device is always listed.
        empty={null}
        columns={[
          { header: 'Device', cell: ({ device }) => device },
          { header: 'IP address', cell: ({ ip }) => <span className="break-all">{ip}</span> },
          { header: 'Signed in', cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
          { header: 'Last seen', cell: ({ lastSeenAt }) => <LocalTime at={lastSeenAt} /> },
          { header: 'Session', align: 'end', cell: (session) => <RevokeButton {...session} /> },
        ]}
      />
      <RowDialog
        name="revoke"
        rows={sessions.filter(({ current }) => !current)}
        rowKey={({ id }) => id}
        selected={selected}
        href={href}
        title="Revoke this session?"
      >
        {({ id, device }) => (
          <ConfirmForm
            action={revoke}
            fields={{ sessionId: id, ...(cursor && { sessions: cursor }) }}
            confirm="Revoke session"
          >
            <p>{device} will be signed out.</p>
          </ConfirmForm>
        )}
      </RowDialog>
    </>
  )
}

function RevokeButton({ id, current }: ListedSession) {
  if (current) return <Badge tone="positive">This device</Badge>
  return (
    <RowButton opens="revoke" row={id}>
      Revoke
    </RowButton>
  )
}
