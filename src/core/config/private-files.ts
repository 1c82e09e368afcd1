import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Takes a file, or a folder with its contents, away from other users of this machine. */
export function makePrivate(path: string): void {
  let stats: ReturnType<typeof lstatSync>
  try {
    stats = lstatSync(path)
    // Otherwise it would change a file elsewhere.
    if (stats.isSymbolicLink()) return
    const mode = stats.isDirectory() ? 0o700 : 0o600
    if ((stats.mode & 0o777) !== mode) chmodSync(path, mode)
  } catch {
    // Missing, or not ours to change; the doctor reports what stays readable.
    return
  }
  if (!stats.isDirectory()) return
  for (const name of readdirSync(path)) makePrivate(join(path, name))
}
