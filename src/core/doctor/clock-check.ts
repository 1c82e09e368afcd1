import type { Connection } from '@/core/db/client'
import { type Finding, reporter } from '@/core/doctor/finding'

const { error, warning, fine } = reporter('database')

/** Sessions and links end by the clock of the database, cookies by that of the server. */
export async function checkClock(connection: Connection): Promise<Finding[]> {
  const before = Date.now()
  const { rows } = await connection.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    [],
  )
  const middle = (before + Date.now()) / 2
  const [{ now } = { now: middle }] = rows as { now: number }[]
  const seconds = (now - middle) / 1000
  const apart = Math.abs(seconds)
  if (apart <= 2) return [fine('Its clock and the one here agree.')]
  const what = `Its clock is ${apart.toFixed(0)} s ${seconds > 0 ? 'ahead of' : 'behind'} the one here.`
  return [(apart > 30 ? error : warning)(what, 'Let both machines take the time from one source.')]
}
