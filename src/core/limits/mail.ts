import 'server-only'
import { createHash } from 'node:crypto'
import { type Allowance, allow } from '@/core/limits/allow'

const anHour = 60 * 60

/**
 * How often mail can be asked for: twenty times an hour from an address, five times for one mailbox
 * from it, and ten times for a mailbox from anywhere, so that nobody can flood it. Whether the
 * mailbox has an account plays no part. Who uses up the last has not locked its owner out: the
 * newest of the links that were sent still works.
 */
export async function countMail(address: string, recipient: string): Promise<Allowance> {
  const counts = [
    { name: 'mail.address', times: 20, key: address },
    { name: 'mail.pair', times: 5, key: hidden(`${address} ${recipient}`) },
    { name: 'mail.recipient', times: 10, key: hidden(recipient) },
  ]
  let last: Allowance | undefined
  for (const { name, times, key } of counts) {
    last = await allow(name, { times, seconds: anHour }, key)
    // What is refused already must not use up what is left for others.
    if (!last.allowed) return last
  }
  return last as Allowance
}

/** Of one length, and nobody's address in a table of counts. */
function hidden(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
