import { createHash } from 'node:crypto'

/** A shortened hash, long enough to detect edits. */
export function digest(content) {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
