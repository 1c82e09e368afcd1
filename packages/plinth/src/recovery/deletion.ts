import { archiveUser } from '#auth/accounts/deleted-accounts/archive'
import { deleteUserAndData } from '#auth/accounts/users'
import type { Database } from '#db/client'
import { databaseNow } from '#db/clock'
import { changeSignIn, listChanges } from '#recovery/changes'
import { liveChanges, type Method } from '#recovery/history'

/**
 * Deletes the account of the caller, whom the mutation has locked. It is gone for everyone at once. While
 * a link is alive the deletion may be that of a thief, so it is a change that a recovery undoes, and the
 * data is erased when the last link has ended.
 */
export async function deleteOwnAccount(
  transaction: Database,
  userId: string,
  confirmedBy: Method | undefined,
): Promise<{ deleted: boolean; isFinal: boolean }> {
  const live = liveChanges(await listChanges(transaction, userId), databaseNow())
  if (live.length === 0) {
    return { deleted: await deleteUserAndData(transaction, userId), isFinal: true }
  }
  // `changeSignIn` stores the time at which the rows are erased.
  const archive = () => archiveUser(transaction, userId, new Date(databaseNow()))
  const deleted = await changeSignIn(transaction, { userId, confirmedBy, deletes: true }, archive)
  return { deleted, isFinal: false }
}
