import type { ActionResult } from '@/core/guard/action-result'
import { Badge } from '@/core/ui/badge'
import { ConfirmedForm } from '@/core/ui/confirmed-form'
import { LocalTime } from '@/core/ui/local-time'
import { type Column, Table } from '@/core/ui/table'

interface ListedSession {
  id: string
  current: boolean
  device: string
  address: string
  createdAt: Date
  lastSeenAt: Date
}

type Act = (before: unknown, form: FormData) => Promise<ActionResult<unknown>>

interface SessionListProps {
  sessions: readonly ListedSession[]
  /** There are others that are not shown. */
  more: boolean
  end: Act
  endOthers: Act
}

export function SessionList({ sessions, more, end, endOthers }: SessionListProps) {
  return (
    <>
      <Table
        caption="Signed in on"
        columns={columns(end)}
        rows={sessions}
        rowKey={({ id }) => id}
        empty="There is no session."
      />
      <p className="mt-3 text-xs text-muted">
        When a device was last seen is noted once a day at most: it may have been used since.
        {more && ' There are more sessions than are shown here.'}
      </p>
      {sessions.length > 1 && (
        <div className="mt-5">
          <ConfirmedForm
            id="end-others"
            act={endOthers}
            label="End all others"
            title="End all other sessions?"
            confirm="End them"
          >
            <p>Every device but this one is signed out at once.</p>
          </ConfirmedForm>
        </div>
      )}
    </>
  )
}

function columns(end: Act): [Column<ListedSession>, ...Column<ListedSession>[]] {
  return [
    { header: 'Device', cell: ({ device }) => <span className="break-words">{device}</span> },
    { header: 'Address', cell: ({ address }) => <span className="break-all">{address}</span> },
    { header: 'Signed in', cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
    { header: 'Last seen', cell: ({ lastSeenAt }) => <LocalTime at={lastSeenAt} /> },
    {
      header: 'Session',
      align: 'end',
      cell: ({ id, current, device }) =>
        current ? (
          <Badge tone="positive">This one</Badge>
        ) : (
          <ConfirmedForm
            id={`end-${id}`}
            act={end}
            fields={{ sessionId: id }}
            label="End this"
            title="End this session?"
            confirm="End it"
            size="small"
          >
            <p>{device} is signed out at once.</p>
          </ConfirmedForm>
        ),
    },
  ]
}
