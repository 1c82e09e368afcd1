import { randomBytes } from 'node:crypto'
import { singleton } from '@/core/config/singleton'

/** The random part makes ids unique across processes. A UUID per request costs ten times as much. */
const sequence = singleton('request-id', () => ({
  process: randomBytes(9).toString('hex'),
  count: 0,
}))

/** Keeps the caller's id if it is short and plain, because it goes into headers and log lines. */
export function requestIdFrom(given: string | string[] | undefined): string {
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
  sequence.count += 1
  return `${sequence.process}-${sequence.count}`
}
