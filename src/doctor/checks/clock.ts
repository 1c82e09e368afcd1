import type { Connection } from '@/core/db/client'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('database')

/** Sessions and links expire by the database’s clock, rate limits and OAuth flows by the server’s. */
export async function checkClock(connection: Connection): Promise<Finding[]> {
  const sentAt = Date.now()
  const { rows } = await connection.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    [],
  )
  const middle = (sentAt + Date.now()) / 2
  const [{ now } = { now: middle }] = rows as { now: number }[]
  const seconds = (now - middle) / 1000
  const difference = Math.abs(seconds)
  if (difference <= 2) return [ok('Its clock matches the clock of this machine.')]
  const message = `Its clock is ${difference.toFixed(0)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine.`
  return [(difference > 30 ? error : warning)(message, 'Synchronize both clocks with NTP.')]
}
