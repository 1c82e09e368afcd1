import { hash } from '@node-rs/argon2'
import { createHashingThreads } from '#auth/passwords/hashing-threads'
import { createHashingQueue } from '#auth/passwords/queue'
import { lazy } from '#config/lazy'
import type { Scope } from '#http/scope'
import { ipRange } from '#rate-limits/rate-limit'

const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashingQueue = lazy(() => createHashingQueue())
const threads = createHashingThreads()

/**
 * Reserves a place in the queue for the whole of `work`; throws `HashingQueueFull`. Every client has
 * a share of the places.
 */
export function reserveHash<Result>(
  { ip }: Pick<Scope, 'ip'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return hashingQueue().reserve(ipRange(ip), work)
}

export function hashingUse() {
  return hashingQueue().use()
}

export function hashPassword(password: string): Promise<string> {
  return hashingQueue().run(() => threads.hash(password, argon2id))
}

/** Without a hash the same work is done: the response time must not reveal whether an account exists. */
export async function verifyPassword(
  hashed: string | undefined,
  password: string,
): Promise<boolean> {
  const expected = hashed ?? (await dummyHash())
  const matches = await hashingQueue().run(() => threads.verify(expected, password))
  return matches && hashed !== undefined
}

/** Created at start, so that no sign-in takes longer because of it. */
export const dummyHash = lazy(() => hash(crypto.randomUUID(), argon2id))
