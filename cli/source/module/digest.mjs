import { createHash } from 'node:crypto'

/** Enough of a hash to know a file again. */
export function digest(content) {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}
