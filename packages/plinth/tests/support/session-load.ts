import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { hashToken } from '#auth/sessions/cookie'
import type { Database } from '#db/client'

/** Stores this many sessions of one user and returns their tokens. */
export async function storeSessions(database: Database, email: string, count: number) {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  for (const token of tokens) {
    await database.execute(sql`insert into sessions (token_hash, user_id, expires_at)
      select ${hashToken(token)}, id, now() + interval '30 days' from users where email = ${email}`)
  }
  return tokens
}

/** Undefined if the server was unavailable or did not respond. */
export async function isAccepted(url: string, token: string): Promise<boolean | undefined> {
  try {
    const response = await fetch(`${url}/api/auth/session`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
    })
    const body = await response.text()
    return response.status === 200 ? body !== 'null' : undefined
  } catch {
    return undefined
  }
}

/** Sends session requests with these tokens until it is stopped. */
export function startSessionLoad(url: string, tokens: readonly string[], concurrency = 6) {
  /** The start time of the latest request that returned a session, by token. */
  const acceptedAt = new Map<string, number>()
  let running = true
  const loops = Array.from({ length: concurrency }, async (_, offset) => {
    for (let index = offset; running; index += 1) {
      const token = tokens[index % tokens.length] ?? ''
      const startedAt = performance.now()
      if (await isAccepted(url, token)) {
        acceptedAt.set(token, Math.max(startedAt, acceptedAt.get(token) ?? 0))
      }
    }
  })
  return {
    acceptedAt,
    async stop() {
      running = false
      await Promise.all(loops)
    },
  }
}
