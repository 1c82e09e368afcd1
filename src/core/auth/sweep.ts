import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { deleteExpiredLinks } from '@/core/auth/accounts/links'
import { compactUserCounts } from '@/core/auth/accounts/users'
import { deleteExpiredSessions } from '@/core/auth/sessions/session'
import { deleteReadChanges } from '@/core/db/change-log'
import { runInBackground } from '@/core/db/client'
import { deleteUnusedBuilds } from '@/core/db/static-files'
import { logFailure } from '@/core/http/request-log'

const intervalMs = 10 * 60 * 1000
const batchSize = 500

/** Deletes expired rows in the background, in small batches. Nothing depends on it. */
export function scheduleSweep(): void {
  setInterval(() => runInBackground(sweep), intervalMs).unref()
}

async function sweep(): Promise<void> {
  try {
    for (const deleteBatch of [deleteExpiredSessions, deleteExpiredLinks, deleteReadChanges]) {
      while ((await deleteBatch(batchSize)) === batchSize) {
        await pause(100, undefined, { ref: false })
      }
    }
    await compactUserCounts()
    await deleteUnusedBuilds()
  } catch (error) {
    logFailure(error, 'sweep failed; retrying later', { level: 'warn' })
  }
}
