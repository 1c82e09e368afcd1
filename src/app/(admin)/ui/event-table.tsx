import { Badge } from '@/core/ui/badge'
import { LocalTime } from '@/core/ui/local-time'
import { Table } from '@/core/ui/table'
import { TextLink } from '@/core/ui/text-link'

interface Somebody {
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
  address: string | undefined
  details: Record<string, unknown>
  actor: Somebody | undefined
  target: Somebody | undefined
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
        { header: 'When', cell: ({ at }) => <LocalTime at={at} precision="minute" /> },
        { header: 'What', cell: (event) => <What event={event} /> },
        {
          header: 'Outcome',
          cell: ({ outcome }) => <Badge tone={toneOf(outcome)}>{outcome}</Badge>,
        },
        {
          header: 'By',
          cell: ({ actor, actorId }) => <Who person={actor} id={actorId} none="nobody" />,
        },
        {
          header: 'To',
          cell: ({ target, targetId }) => <Who person={target} id={targetId} none="–" />,
        },
        { header: 'From', cell: ({ address }) => address ?? 'unknown' },
      ]}
    />
  )
}

function What({ event: { action, details } }: { event: ShownEvent }) {
  const more = Object.entries(details).map(([name, value]) => `${name}: ${String(value)}`)
  return (
    <span className="grid max-sm:justify-items-end">
      <span className="font-medium">{action.replaceAll('_', ' ')}</span>
      {more.length > 0 && <span className="text-xs break-all text-muted">{more.join(', ')}</span>}
    </span>
  )
}

interface WhoProps {
  person: Somebody | undefined
  id: string | undefined
  none: string
}

/** By name while there is one; of whoever has left, only the id is known. */
function Who({ person, id, none }: WhoProps) {
  if (person) {
    return (
      <TextLink href={`/admin/users/${person.id}`} title={person.email} className="break-words">
        {person.name}
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
