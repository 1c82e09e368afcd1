import { createHash, randomBytes } from 'node:crypto'
import { hash as hashWithArgon2 } from '@node-rs/argon2'
import postgres from 'postgres'

/** Writes a user and a session to the database and returns the session token. */
export async function signIn(databaseUrl) {
  const sql = postgres(databaseUrl, { max: 1 })
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await sql`
    with new_user as (
      insert into users (email, name, email_verified_at)
      values ('ada@example.com', 'Ada', now()) returning id
    )
    insert into sessions (token_hash, user_id, expires_at)
    select ${hash}, id, now() + interval '30 days' from new_user`
  await sql.end()
  return token
}

/** Creates a session of one of the admins in the database and returns its token. */
export async function signInAdmin(sql) {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  await sql`
    insert into sessions (token_hash, user_id, expires_at)
    select ${hash}, id, now() + interval '1 day' from users where role = 'admin' limit 1`
  return token
}

/** Creates users who share one password, because hashing is slow. */
export async function seedPasswords(databaseUrl, count, password) {
  const hash = await hashPassword(password)
  const sql = postgres(databaseUrl, { max: 1 })
  await sql`
    with new_users as (
      insert into users (email, name, email_verified_at)
      select 'user' || n || '@example.com', 'User ' || n, now()
      from generate_series(1, ${count}::int) n
      returning id
    )
    insert into passwords (user_id, hash) select id, ${hash} from new_users`
  await sql.end()
  return hash
}

/** For the embedded database, which only the server process can write to. */
export async function signInOverHttp(origin) {
  const response = await fetch(`${origin}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'viewer@example.com',
      password: 'plinth-demo-1',
      transport: 'bearer',
    }),
  })
  if (!response.ok) throw new Error(`Sign-in returned ${response.status}.`)
  return (await response.json()).token
}

export function cookieOf(token) {
  return { cookie: `authjs.session-token=${token}` }
}

export function bearerOf(token) {
  return { authorization: `Bearer ${token}` }
}

/** With the same cost parameters as Plinth. */
export function hashPassword(password) {
  const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
  return hashWithArgon2(password, options)
}

/** For wrk. Each sign-in has another user and another IP address, so that no rate limit applies. */
export function signInScript(users, password) {
  return `local turn = 0
function request()
  turn = turn + 1
  local body = string.format('{"email":"user%d@example.com","password":"${password}","transport":"bearer"}', turn % ${users} + 1)
  local ip = string.format("10.%d.%d.%d", turn / 65536 % 256, turn / 256 % 256, turn % 256)
  return wrk.format("POST", nil, { ["Content-Type"] = "application/json", ["X-Forwarded-For"] = ip }, body)
end
`
}
