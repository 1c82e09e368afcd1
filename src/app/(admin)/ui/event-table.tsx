import { type DescribedEvent, describeEvent } from '../audit/event-sentence'
import { type EventRow, EventRows, type EventUser } from './event-rows'

interface EventTableProps {
  caption: string
  events: readonly (DescribedEvent & {
    id: number
    at: Date
    ip: string | undefined
    actor: EventUser | undefined
    target: EventUser | undefined
  })[]
  empty: string
}

/** Sends the browser only what the table shows. */
export function EventTable({ caption, events, empty }: EventTableProps) {
  const rows = events.map((event): EventRow => {
    const { id, at, outcome, actor, actorId, target, targetId, ip } = event
    const { sentence, details } = describeEvent(event)
    return {
      id,
      at,
      sentence,
      ...(details && { details }),
      outcome,
      actor: userOf(actor) ?? actorId,
      ...(sentence.includes('{target}') && { target: userOf(target) ?? targetId }),
      ip: ip ?? 'unknown',
    }
  })
  return <EventRows caption={caption} events={rows} empty={empty} />
}

function userOf(user: EventUser | undefined): EventUser | undefined {
  return user && { id: user.id, name: user.name }
}
