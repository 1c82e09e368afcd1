import type { FormAction } from '@/core/ui/action-result'
import { Badge } from '@/core/ui/badge'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { LocalTime } from '@/core/ui/local-time'
import { Pagination } from '@/core/ui/pagination'
import { type Column, Table } from '@/core/ui/table'

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
  /** Of the page, to which revoking a session leads back. */
  cursor: string | undefined
  previousHref: string | undefined
  nextHref: string | undefined
  revoke: FormAction
  revokeOthers: FormAction
}

export function SessionList(props: SessionListProps) {
  const { sessions, cursor, previousHref, nextHref, revoke, revokeOthers } = props
  return (
    <>
      <Table
        caption="Active sessions"
        columns={columns(revoke, cursor ? { sessions: cursor } : {})}
        rows={sessions}
        rowKey={({ id }) => id}
        empty="No active sessions."
      />
      <p className="mt-3 text-xs text-muted">“Last seen” is updated at most once a day.</p>
      <Pagination label="Pages of sessions" previousHref={previousHref} nextHref={nextHref} />
      {sessions.some(({ current }) => !current) && (
        <div className="mt-5">
          <ConfirmButton
            id="revoke-others"
            action={revokeOthers}
            label="Revoke all other sessions"
            title="Revoke all other sessions?"
            confirm="Revoke sessions"
          >
            <p>You will be signed out on all devices except this one.</p>
          </ConfirmButton>
        </div>
      )}
    </>
  )
}

function columns(
  revoke: FormAction,
  page: { sessions?: string },
): [Column<ListedSession>, ...Column<ListedSession>[]] {
  return [
    { header: 'Device', cell: ({ device }) => <span className="break-words">{device}</span> },
    { header: 'IP address', cell: ({ ip }) => <span className="break-all">{ip}</span> },
    { header: 'Signed in', cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
    { header: 'Last seen', cell: ({ lastSeenAt }) => <LocalTime at={lastSeenAt} /> },
    {
      header: 'Session',
      align: 'end',
      cell: ({ id, current, device }) =>
        current ? (
          <Badge tone="positive">This device</Badge>
        ) : (
          <ConfirmButton
            id={`revoke-${id}`}
            action={revoke}
            fields={{ ...page, sessionId: id }}
            label="Revoke"
            title="Revoke this session?"
            confirm="Revoke session"
            size="small"
          >
            <p>{device} will be signed out.</p>
          </ConfirmButton>
        ),
    },
  ]
}
