import { createHash, randomBytes } from 'node:crypto'
import { hash as hashWithArgon2 } from '@node-rs/argon2'
import postgres from 'postgres'

/** The token of somebody who is signed in: in the tables, as the product would have written it. */
export async function signIn(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1 })
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await sql`
    with person as (
      insert into users (email, name, email_verified_at)
      values ('ada@example.com', 'Ada', now()) returning id
    )
    insert into sessions (token_hash, user_id, expires_at)
    select ${hash}, id, now() + interval '30 days' from person`
  await sql.end()
  return token
}

/** So many people who can sign in, all with one password: hashing it takes a while. */
export async function seedPasswords(databaseUrl, count, password) {
  const hash = await hashPassword(password)
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`
    with people as (
      insert into users (email, name, email_verified_at)
      select 'person' || n || '@example.com', 'Person ' || n, now()
      from generate_series(1, ${count}::int) n
      returning id
    )
    insert into passwords (user_id, hash) select id, ${hash} from people`
  await sql.end()
  return hash
}

/** On the embedded database, which no other process can write to. */
export async function signInAtTheDoor(origin) {
  const answer = await fetch(`${origin}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'viewer@example.com',
      password: 'plinth-demo-1',
      transport: 'bearer',
    }),
  })
  if (!answer.ok) throw new Error(`Signing in was answered with ${answer.status}.`)
  return (await answer.json()).token
}

export function cookieOf(token) {
  return { cookie: `authjs.session-token=${token}` }
}

export function bearerOf(token) {
  return { authorization: `Bearer ${token}` }
}

/** At the cost that the product takes. */
export function hashPassword(password) {
  const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
  return hashWithArgon2(password, options)
}
