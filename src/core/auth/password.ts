import 'server-only'
import { hash, verify } from '@node-rs/argon2'

const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export function hashPassword(password: string): Promise<string> {
  return hash(password, argon2id)
}

export function verifyPassword(hashed: string, password: string): Promise<boolean> {
  return verify(hashed, password)
}
