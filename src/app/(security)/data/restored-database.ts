import 'server-only'
import { deleteAll } from 'plinth/auth/accounts/users'
import type { Database } from 'plinth/db/client'
import {
  emailChanges,
  passkeyChallenges,
  rememberedBrowsers,
  signInChallenges,
  signInLinks,
} from '../schema'

const tables = [
  signInChallenges,
  passkeyChallenges,
  signInLinks,
  emailChanges,
  // They need no second factor, and may have been forgotten because they were stolen.
  rememberedBrowsers,
]

export async function endRestoredProofs(transaction: Database): Promise<number> {
  let ended = 0
  for (const table of tables) ended += await deleteAll(transaction, table)
  return ended
}
