import { createHash } from 'node:crypto'

/** A shortened hash, long enough to detect edits. */
export function digest(content) {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}

/** The original files are not available later, so edits are detected by these digests. */
export function digests(files) {
  return Object.fromEntries([...files].map(([path, content]) => [path, digest(content)]))
}
