import 'server-only'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { makePrivate } from '@/core/config/private-files'
import { withAfterCommit } from '@/core/db/after-commit'
import type { Connection } from '@/core/db/client'
import { createEmbedded, embeddedSettings } from '@/core/db/create-embedded'
import { takeLock } from '@/core/db/lock'
import * as schema from '@/core/db/schema'

/** PGlite, with its files in `folder`/database. One process at a time. */
export async function openEmbedded(folder: string): Promise<Connection> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const release = takeLock(join(folder, 'lock.json'))
  try {
    const files = join(folder, 'database')
    await createEmbedded(files)
    // Those of an older installation or of a backup.
    makePrivate(files)
    // The optimizing compiler takes 60 MB more, and small queries are no faster.
    setFlagsFromString('--liftoff-only')
    const client = await PGlite.create(files, {
      postgresqlconf: embeddedSettings,
      // The extension is loaded from the package, not from the folder.
      extensions: { pg_trgm },
    })
    // It creates some of its own files readable by all users.
    makePrivate(files)
    const query: Connection['query'] = (text, values) => client.query(text, values)
    return {
      database: withAfterCommit(drizzle(client, { schema })),
      query,
      queryPipelined: query,
      ping: () => client.query('select 1'),
      transact: (work) =>
        client.transaction(async (transaction) =>
          work(async (statements) => (await transaction.exec(statements)).at(-1)?.rows ?? []),
        ),
      async listen(channel, { receive, subscribed }) {
        const stop = await client.listen(channel, receive)
        subscribed()
        return () => stop()
      },
      async close() {
        await client.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}
