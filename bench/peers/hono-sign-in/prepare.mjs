import { createHash, randomBytes } from 'node:crypto'
import { hash as hashPassword } from '@node-rs/argon2'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL, { max: 1 })
const token = randomBytes(32).toString('base64url')
const hash = await hashPassword('only-for-the-benchmark', {
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
})

await sql`
  create table users (
    id uuid primary key default gen_random_uuid(),
    email text not null unique,
    name text not null,
    role text not null,
    password_hash text not null
  )`
await sql`
  create table sessions (
    token_hash bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    expires_at timestamptz(3) not null
  )`
await sql`
  insert into users (email, name, role, password_hash)
  select 'user' || n || '@example.com', 'User ' || n, 'viewer', ${hash}
  from generate_series(1, 500) n`
await sql`
  insert into sessions (token_hash, user_id, expires_at)
  select ${createHash('sha256').update(token).digest()}, id, now() + interval '30 days'
  from users limit 1`
await sql.end()

process.stdout.write(`cookie: session=${token}\n`)
