import { type Scope, timeZoneOf as savedTimeZone } from 'plinth/http/scope'
import { z } from 'zod'

/** An IANA name such as `Europe/Berlin`. The browser sends its own with the filter. */
export const timeZoneField = z.string().max(64).refine(isTimeZone, 'Unknown time zone.')

/** In which days are read: that of the URL, so that a link shows the same, or the admin's own. If none is known, days are in UTC. */
export function timeZoneOf(
  scope: Pick<Scope, 'session'>,
  { timeZone }: { timeZone?: string | undefined },
): string | undefined {
  return timeZone ?? savedTimeZone(scope)
}

/** The first moment of a day, YYYY-MM-DD, also of one without midnight when summer time starts. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const guess = midnight - offsetMs(midnight, timeZone)
  return new Date(midnight - offsetMs(guess, timeZone))
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}

/** How far the clocks of the zone are ahead of UTC at this time. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
  )
  return local - Math.floor(at / 1000) * 1000
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
