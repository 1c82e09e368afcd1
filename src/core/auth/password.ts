import 'server-only'
import { hash, verify } from '@node-rs/argon2'
import { hashingQueue } from '@/core/auth/hashing-queue'
import { singleton } from '@/core/singleton'

const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const queue = singleton('auth.hashing', () => hashingQueue())

/** For what will come to a password, before it begins; throws `TooManyHashes` when too many do. */
export function admit<Result>(work: () => Promise<Result>): Promise<Result> {
  return queue.admit(work)
}

export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, argon2id))
}

/** Where there is no hash the same work is done: the time must not tell who has an account. */
export async function verifyPassword(
  hashed: string | undefined,
  password: string,
): Promise<boolean> {
  const against = hashed ?? (await nobody())
  const right = await queue.run(() => verify(against, password))
  return right && hashed !== undefined
}

/** A hash that no password is known for; made at start, so that its making is never seen either. */
export function nobody(): Promise<string> {
  return singleton('auth.nobody', () => hash(crypto.randomUUID(), argon2id))
}
