import 'server-only'
import { reserveHash } from '@/core/auth/passwords/hash'
import { isHashingQueueFull } from '@/core/auth/passwords/queue'

/** Runs work that hashes a password, unless the hashing queue is full. */
export async function unlessBusy<Result>(
  work: () => Promise<Result>,
): Promise<Result | { outcome: 'too_busy' }> {
  try {
    return await reserveHash(work)
  } catch (error) {
    if (isHashingQueueFull(error)) return { outcome: 'too_busy' }
    throw error
  }
}
