import { type EventRow, EventRows, type EventUser } from './event-rows'

interface EventTableProps {
  caption: string
  events: readonly {
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
  }[]
  empty: string
}

/** Sends the browser only what the table shows. */
export function EventTable({ caption, events, empty }: EventTableProps) {
  const rows = events.map(
    ({ id, at, action, outcome, actor, actorId, target, targetId, ip, details }): EventRow => ({
      id,
      at,
      action: action.replaceAll('_', ' '),
      details: Object.entries(details)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(', '),
      outcome,
      actor: userOf(actor) ?? actorId ?? null,
      target: userOf(target) ?? targetId ?? null,
      ip: ip ?? 'unknown',
    }),
  )
  return <EventRows caption={caption} events={rows} empty={empty} />
}

function userOf(user: EventUser | undefined): EventUser | undefined {
  return user && { id: user.id, name: user.name }
}
