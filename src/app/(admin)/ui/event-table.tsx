import { Badge } from '@/core/ui/badge'
import { LocalTime } from '@/core/ui/local-time'
import { Table } from '@/core/ui/table'
import { TextLink } from '@/core/ui/text-link'

interface EventUser {
  id: string
  email: string
  name: string
}

interface ShownEvent {
  id: number
  at: Date
  action: string
  outcome: string
  actorId: string | undefined
  targetId: string | undefined
  ip: string | undefined
  details: Record<string, unknown>
  actor: EventUser | undefined
  target: EventUser | undefined
}

interface EventTableProps {
  caption: string
  events: readonly ShownEvent[]
  empty: string
}

export function EventTable({ caption, events, empty }: EventTableProps) {
  return (
    <Table
      caption={caption}
      rows={events}
      rowKey={({ id }) => String(id)}
      empty={empty}
      columns={[
        { header: 'Time', cell: ({ at }) => <LocalTime at={at} precision="minute" /> },
        { header: 'Action', cell: (event) => <ActionCell event={event} /> },
        {
          header: 'Outcome',
          cell: ({ outcome }) => <Badge tone={toneOf(outcome)}>{outcome}</Badge>,
        },
        {
          header: 'Actor',
          cell: ({ actor, actorId }) => <UserCell user={actor} id={actorId} none="anonymous" />,
        },
        {
          header: 'Target',
          cell: ({ target, targetId }) => <UserCell user={target} id={targetId} none="–" />,
        },
        { header: 'IP address', cell: ({ ip }) => ip ?? 'unknown' },
      ]}
    />
  )
}

function ActionCell({ event: { action, details } }: { event: ShownEvent }) {
  const pairs = Object.entries(details).map(([name, value]) => `${name}: ${String(value)}`)
  return (
    <span className="grid max-sm:justify-items-end">
      <span className="font-medium">{action.replaceAll('_', ' ')}</span>
      {pairs.length > 0 && <span className="text-xs break-all text-muted">{pairs.join(', ')}</span>}
    </span>
  )
}

interface UserCellProps {
  user: EventUser | undefined
  id: string | undefined
  none: string
}

/** The name, or the id of a deleted user. */
function UserCell({ user, id, none }: UserCellProps) {
  if (user) {
    return (
      <TextLink href={`/admin/users/${user.id}`} title={user.email} className="break-words">
        {user.name}
      </TextLink>
    )
  }
  if (!id) return <span className="text-muted">{none}</span>
  return (
    <span title={id} className="font-mono text-xs text-muted">
      {id.length > 12 ? `${id.slice(0, 8)}…` : id}
    </span>
  )
}

function toneOf(outcome: string) {
  if (outcome === 'success') return 'positive'
  return outcome === 'denied' ? 'danger' : 'warning'
}
