import { join, resolve } from 'node:path'
import nextEnv from '@next/env'
import { env, StartupError } from 'plinth/config/env'
import { createBackup, timestamp } from 'plinth/db/embedded/backup-file'
import { flushLog, log } from 'plinth/log/log'
import { explainStartupError } from 'plinth/server/console'

/** `npm run backup`: copies the embedded database to a file, also while the server runs. */

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

// So that no partial copy stays behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

let usageError = false

try {
  const named = readFile(process.argv.slice(2))
  const { DATA_DIR, DATABASE_URL } = env()
  if (DATABASE_URL) {
    throw new StartupError(
      'DATABASE_URL is set, and npm run backup copies the embedded database only. Use pg_dump: docs/deploying.md, "Backups".',
    )
  }
  const file = resolve(named ?? join(DATA_DIR, 'backups', `backup-${timestamp()}.tar.gz`))
  const { bytes } = await createBackup(DATA_DIR, file)
  process.stdout.write(`Wrote ${file} (${(bytes / 1_000_000).toFixed(1)} MB).\n`)
} catch (error) {
  const message = explainStartupError(error)
  if (message === undefined) log().fatal({ err: error }, 'the backup failed')
  else process.stderr.write(`${message}\n`)
  process.exitCode = usageError ? 2 : 1
}
flushLog()

function readFile([file, ...rest]: string[]): string | undefined {
  if (rest.length === 0 && !file?.startsWith('-')) return file
  usageError = true
  throw new StartupError('Usage: npm run backup -- [file]')
}
