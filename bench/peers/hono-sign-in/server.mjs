import { createHash, randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { verify } from '@node-rs/argon2'
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL)

const app = new Hono()

/** The minimum of a sign-in: one query, one hash, one insert. No limits and no audit log. */
app.post('/sign-in', async (c) => {
  const { email, password } = await c.req.json()
  const [user] = await sql`
    select id, email, name, role, password_hash from users where email = ${email}`
  if (!user || !(await verify(user.password_hash, password))) return c.json(null, 401)
  const token = randomBytes(32).toString('base64url')
  const [session] = await sql`
    insert into sessions (token_hash, user_id, expires_at)
    values (${hashOf(token)}, ${user.id}, now() + interval '30 days')
    returning expires_at`
  const { password_hash: _, ...shown } = user
  return c.json({ token, session: { user: shown, expires: session.expires_at.toISOString() } })
})

app.get('/session', async (c) => {
  const [row] = await sql`
    select users.id, users.email, users.name, users.role, sessions.expires_at
    from sessions join users on users.id = sessions.user_id
    where token_hash = ${hashOf(getCookie(c, 'session') ?? '')} and expires_at > now()`
  if (!row) return c.json(null)
  const { expires_at: expires, ...user } = row
  return c.json({ user, expires: expires.toISOString() })
})

function hashOf(token) {
  return createHash('sha256').update(token).digest()
}

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
