import 'server-only'
import { isTooManyHashes } from '@/core/auth/hashing-queue'
import { admit } from '@/core/auth/password'

/** Passwords cost more than anything else here; who comes when too many wait is told so. */
export async function unlessTooBusy<Result>(
  work: () => Promise<Result>,
): Promise<Result | { outcome: 'too_busy' }> {
  try {
    return await admit(work)
  } catch (error) {
    if (isTooManyHashes(error)) return { outcome: 'too_busy' }
    throw error
  }
}
