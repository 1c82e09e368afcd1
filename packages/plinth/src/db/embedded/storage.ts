import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageUse } from '#db/client'

/** The storage of the embedded database in `folder`. */
export async function readStorage(folder: string): Promise<StorageUse> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const { mtimeMs: createdAt } = await stat(join(folder, 'database', 'PG_VERSION'))
  return {
    sizeBytes: blocks * bsize,
    freeBytes: bavail * bsize,
    backupAgeSeconds: (Date.now() - (lastBackupAt(folder) ?? createdAt)) / 1000,
  }
}

/** Its time is that of the last backup, wherever that was written. */
const lastBackupName = 'last-backup'

export function noteBackup(folder: string, file: string): void {
  writeFileSync(join(folder, lastBackupName), `${file}\n`, { mode: 0o600 })
}

/** Undefined without a backup. */
export function lastBackupAt(folder: string): number | undefined {
  const backups = join(folder, 'backups')
  const archives = existsSync(backups)
    ? readdirSync(backups).filter((name) => name.endsWith('.tar.gz'))
    : []
  const times = [join(folder, lastBackupName), ...archives.map((name) => join(backups, name))]
    .map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs)
    .filter((time) => time !== undefined)
  return times.length > 0 ? Math.max(...times) : undefined
}
