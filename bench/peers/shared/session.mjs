import { createHash } from 'node:crypto'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL)

/** The admin whose session the cookie names, with a single query. */
export async function readAdmin(cookies) {
  const token = /(?:^|; )session=([^;]+)/.exec(cookies ?? '')?.[1] ?? ''
  const hash = createHash('sha256').update(token).digest()
  const [user] = await sql`
    select users.id, users.email, users.name, users.role
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = ${hash} and sessions.expires_at > now()`
  return user?.role === 'admin' ? user : undefined
}
