import { createHash } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL)

const app = new Hono()

/** The session with a single prepared query, the minimum of database work. */
app.get('/session', async (c) => {
  const hash = createHash('sha256')
    .update(getCookie(c, 'session') ?? '')
    .digest()
  const [row] = await sql`
    select users.id, users.email, users.name, users.role, sessions.expires_at
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = ${hash} and sessions.expires_at > now()`
  if (!row) return c.json(null)
  const { expires_at: expires, ...user } = row
  return c.json({ user, expires: expires.toISOString() })
})

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
