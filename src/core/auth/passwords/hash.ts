import 'server-only'
import { hash } from '@node-rs/argon2'
import { createHashingThreads } from '@/core/auth/passwords/hashing-threads'
import { createHashingQueue } from '@/core/auth/passwords/queue'
import { singleton } from '@/core/config/singleton'
import type { Scope } from '@/core/http/scope'
import { ipRange } from '@/core/rate-limits/rate-limit'

const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const queue = singleton('auth.hashing', () => createHashingQueue())
const threads = singleton('auth.hashing-threads', () => createHashingThreads())

/**
 * Reserves a place in the queue for the whole of `work`; throws `HashingQueueFull`. Every client has
 * a share of the places.
 */
export function reserveHash<Result>(
  { ip }: Pick<Scope, 'ip'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return queue.reserve(ipRange(ip), work)
}

export function hashPassword(password: string): Promise<string> {
  return queue.run(() => threads.hash(password, argon2id))
}

/** Without a hash the same work is done: the response time must not reveal whether an account exists. */
export async function verifyPassword(
  hashed: string | undefined,
  password: string,
): Promise<boolean> {
  const expected = hashed ?? (await dummyHash())
  const matches = await queue.run(() => threads.verify(expected, password))
  return matches && hashed !== undefined
}

/** Created at start, so that no sign-in takes longer because of it. */
export function dummyHash(): Promise<string> {
  return singleton('auth.dummy-hash', () => hash(crypto.randomUUID(), argon2id))
}
