import 'server-only'
import type { Known } from '@/core/auth/authority/cache'
import { publicSession } from '@/core/auth/public-session'
import type { Role } from '@/core/auth/roles'
import type { LiveSession } from '@/core/auth/scope'
import { extendableFrom } from '@/core/auth/session-length'
import { connection } from '@/core/db/client'

/** However long a session lasts, it is asked for again after this. */
const longest = 60_000

// Written out and not built: it is asked on every request that nothing is known of. The database's
// clock decides what has expired; the moments are numbers, which both databases give alike.
const query = `select s.id, u.id as "userId", u.email, u.name, u.role,
  (extract(epoch from s.created_at) * 1000)::float8 as created,
  (extract(epoch from s.expires_at) * 1000)::float8 as expires,
  (extract(epoch from s.expires_at - now()) * 1000)::float8 as remaining
from sessions s join users u on u.id = s.user_id
where s.token_hash = $1 and s.expires_at > now()`

type Row = {
  id: string
  userId: string
  email: string
  name: string
  role: Role
  created: number
  expires: number
  remaining: number
}

export async function readKnown(key: string): Promise<Known | undefined> {
  const asked = performance.now()
  const { rows } = await connection().query(query, [Buffer.from(key, 'base64url')])
  const [row] = rows as readonly Row[]
  if (!row) return undefined
  const session = sessionOf(row)
  return {
    session,
    body: JSON.stringify(publicSession(session)),
    extendFrom: asked + extendableFrom(session) - Date.now(),
    until: asked + Math.min(longest, row.remaining),
  }
}

/** Shared by all who ask, so nobody may change it. */
function sessionOf({ id, userId, email, name, role, created, expires }: Row): LiveSession {
  return Object.freeze({
    id,
    user: Object.freeze({ id: userId, email, name, role }),
    createdAt: new Date(Math.round(created)),
    expiresAt: new Date(Math.round(expires)),
  })
}
