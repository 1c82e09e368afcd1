import { join, resolve } from 'node:path'
import { print, runCommand, UsageError } from '#commands/command'
import { env, StartupError } from '#config/env'
import { createBackup, timestamp } from '#db/embedded/backup-file'

/** `npm run backup`: copies the embedded database to a file, also while the server runs. */
export function backupCommand(args: string[]): Promise<void> {
  // So that no partial copy stays behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return runCommand('the backup failed', async () => {
    const named = readFile(args)
    const { DATA_DIR, DATABASE_URL } = env()
    if (DATABASE_URL) {
      throw new StartupError(
        'DATABASE_URL is set, and npm run backup copies the embedded database only. Use pg_dump: node_modules/plinth/docs/deploying.md, "Backups".',
      )
    }
    const file = resolve(named ?? join(DATA_DIR, 'backups', `backup-${timestamp()}.tar.gz`))
    const { bytes } = await createBackup(DATA_DIR, file)
    print(`Wrote ${file} (${(bytes / 1_000_000).toFixed(1)} MB).`)
  })
}

function readFile([file, ...rest]: string[]): string | undefined {
  if (rest.length === 0 && !file?.startsWith('-')) return file
  throw new UsageError('Usage: npm run backup -- [file]')
}
