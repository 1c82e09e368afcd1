'use client'

import { Badge } from '@/core/ui/badge'
import { LocalTime } from '@/core/ui/local-time'
import { Table } from '@/core/ui/table'

export interface EventUser {
  id: string
  name: string
}

export interface EventRow {
  id: number
  at: Date
  action: string
  details: string
  outcome: string
  /** The id, if there is no such user. */
  actor: EventUser | string | null
  target: EventUser | string | null
  ip: string
}

interface EventRowsProps {
  caption: string
  events: readonly EventRow[]
  empty: string
}

export function EventRows({ caption, events, empty }: EventRowsProps) {
  return (
    <Table
      caption={caption}
      rows={events}
      rowKey={({ id }) => String(id)}
      empty={empty}
      columns={[
        { header: 'Time', cell: ({ at }) => <LocalTime at={at} precision="minute" /> },
        { header: 'Action', cell: (event) => <ActionCell {...event} /> },
        {
          header: 'Outcome',
          cell: ({ outcome }) => <Badge tone={toneOf(outcome)}>{outcome}</Badge>,
        },
        { header: 'Actor', cell: ({ actor }) => <UserCell user={actor} none="anonymous" /> },
        { header: 'Target', cell: ({ target }) => <UserCell user={target} none="–" /> },
        { header: 'IP address', cell: ({ ip }) => ip },
      ]}
    />
  )
}

function ActionCell({ action, details }: EventRow) {
  if (!details) return <b>{action}</b>
  return (
    <span>
      <b>{action}</b>
      <small>{details}</small>
    </span>
  )
}

/** The name, or the id of a deleted user. */
function UserCell({ user, none }: { user: EventRow['actor']; none: string }) {
  if (user === null) return <i>{none}</i>
  if (typeof user === 'string') {
    return <i title={user}>{user.length > 12 ? `${user.slice(0, 8)}…` : user}</i>
  }
  return <a href={`/admin/users/${user.id}`}>{user.name}</a>
}

function toneOf(outcome: string) {
  if (outcome === 'success') return 'positive'
  return outcome === 'denied' ? 'danger' : 'warning'
}
