import { createHash, randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'

export const password = 'a few words in a row'
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Editors. Every second one has sessions, which clients use from the start; the others sign in.
 *
 * @param {import('postgres').Sql} sql
 */
export async function createUsers(sql, { count, sessions }) {
  const hashed = await hash(password, argon2id)
  const users = []
  for (let number = 1; number <= count; number += 1) {
    const email = `user-${number}@example.com`
    const [{ id }] = await sql`insert into users (email, name, role, email_verified_at)
      values (${email}, ${`User ${number}`}, 'editor', now()) returning id`
    await sql`insert into passwords (user_id, hash) values (${id}, ${hashed})`
    users.push({
      id,
      email,
      name: `User ${number}`,
      tokens: await createSessions(sql, id, number % 2 === 0 ? 0 : sessions),
    })
  }
  return users
}

async function createSessions(sql, userId, count) {
  if (count === 0) return []
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const rows = tokens.map((token) => ({
    token_hash: createHash('sha256').update(token).digest(),
    user_id: userId,
    expires_at: new Date(Date.now() + 30 * 24 * 3_600_000),
  }))
  await sql`insert into sessions ${sql(rows)}`
  return tokens
}
