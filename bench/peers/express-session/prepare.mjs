import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import pg from 'pg'

const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
const id = randomBytes(24).toString('base64url')
const maxAge = 30 * 24 * 60 * 60 * 1000
const expires = new Date(Date.now() + maxAge)

await client.connect()
// The package contains the table definition.
const table = createRequire(import.meta.url).resolve('connect-pg-simple/table.sql')
await client.query(await readFile(table, 'utf8'))
await client.query('insert into session (sid, sess, expire) values ($1, $2, $3)', [
  id,
  {
    cookie: { originalMaxAge: maxAge, expires, httpOnly: true, path: '/' },
    user: { id: randomUUID(), email: 'ada@example.com', name: 'Ada', role: 'viewer' },
  },
  expires,
])
await client.end()

/** Signed as express-session does. */
const signature = createHmac('sha256', process.env.AUTH_SECRET).update(id).digest('base64')
const value = encodeURIComponent(`s:${id}.${signature.replace(/=+$/, '')}`)
process.stdout.write(`cookie: connect.sid=${value}\n`)
