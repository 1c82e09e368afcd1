import 'server-only'
import { Known, type Row } from '@/core/auth/authority/known'
import { hashOf } from '@/core/auth/token'
import { connection } from '@/core/db/client'

// Written out and not built: it is asked on every request that nothing is known of. The database's
// clock decides what has expired; the moments are numbers, which both databases give alike.
const query = `select s.id, u.id as "userId", u.email, u.name, u.role,
  (extract(epoch from s.created_at) * 1000)::float8 as created,
  (extract(epoch from s.expires_at) * 1000)::float8 as expires,
  (extract(epoch from s.expires_at - now()) * 1000)::float8 as remaining
from sessions s join users u on u.id = s.user_id
where s.token_hash = $1 and s.expires_at > now()`

export async function readKnown(key: string): Promise<Known | undefined> {
  const asked = performance.now()
  const { rows } = await connection().ask(query, [hashOf(key)])
  const [row] = rows as readonly Row[]
  return row && new Known(row, asked)
}
