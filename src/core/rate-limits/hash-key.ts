import 'server-only'
import { createHash } from 'node:crypto'

/** A fixed length, and no email in the table of counts. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
