import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The modes of the named files and folders and all below. Files that vanish meanwhile do not count. */
export function modesOf(folder: string, ...names: string[]): Set<string> {
  const modes = new Set<string>()
  for (const name of names) {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) continue
    modes.add((stats.mode & 0o777).toString(8))
    if (stats.isDirectory()) for (const mode of modesOf(path, ...readdirSync(path))) modes.add(mode)
  }
  return modes
}
