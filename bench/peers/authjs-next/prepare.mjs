import { randomUUID } from 'node:crypto'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL, { max: 1 })
const token = randomUUID()

// The tables from the documentation of the adapter that a session needs.
await sql`
  create table "user" (
    id text primary key,
    name text,
    email text unique,
    "emailVerified" timestamp,
    image text
  )`
await sql`
  create table session (
    "sessionToken" text primary key,
    "userId" text not null references "user" (id) on delete cascade,
    expires timestamp not null
  )`
await sql`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.com')`
await sql`
  insert into session ("sessionToken", "userId", expires)
  values (${token}, 'ada', now() + interval '30 days')`
await sql.end()

process.stdout.write(`cookie: authjs.session-token=${token}\n`)
