import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { hashToken } from '@/core/auth/token'
import type { Database } from '@/core/db/client'

/** So many sessions of one person, really stored; their tokens. */
export async function storeSessions(database: Database, email: string, count: number) {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  for (const token of tokens) {
    await database.execute(sql`insert into sessions (token_hash, user_id, expires_at)
      select ${hashToken(token)}, id, now() + interval '30 days' from users where email = ${email}`)
  }
  return tokens
}

export async function isHonoured(url: string, token: string): Promise<boolean | undefined> {
  try {
    const response = await fetch(`${url}/api/auth/session`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
    })
    const body = await response.text()
    // Unavailable is neither yes nor no, and so is no answer at all.
    return response.status === 200 ? body !== 'null' : undefined
  } catch {
    return undefined
  }
}

/** Asks who these tokens belong to, again and again, and notes when each was last honoured. */
export function hammer(url: string, tokens: readonly string[], width = 6) {
  /** By token: when the latest question was asked that was answered with a session. */
  const honoured = new Map<string, number>()
  let asked = 0
  let asking = true
  const loops = Array.from({ length: width }, async (_, offset) => {
    for (let index = offset; asking; index += 1) {
      const token = tokens[index % tokens.length] ?? ''
      const at = performance.now()
      asked += 1
      if (await isHonoured(url, token)) honoured.set(token, Math.max(at, honoured.get(token) ?? 0))
    }
  })
  return {
    honoured,
    asked: () => asked,
    async stop() {
      asking = false
      await Promise.all(loops)
    },
  }
}
