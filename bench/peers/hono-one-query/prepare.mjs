import { createHash, randomBytes } from 'node:crypto'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL, { max: 1 })
const token = randomBytes(32).toString('base64url')
const hash = createHash('sha256').update(token).digest()

await sql`
  create table users (
    id uuid primary key default gen_random_uuid(),
    email text not null unique,
    name text not null,
    role text not null
  )`
await sql`
  create table sessions (
    token_hash bytea primary key,
    user_id uuid not null references users (id) on delete cascade,
    expires_at timestamptz(3) not null
  )`
const [{ id }] = await sql`
  insert into users (email, name, role) values ('ada@example.com', 'Ada', 'viewer') returning id`
await sql`
  insert into sessions (token_hash, user_id, expires_at)
  values (${hash}, ${id}, now() + interval '30 days')`
await sql.end()

process.stdout.write(`cookie: session=${token}\n`)
