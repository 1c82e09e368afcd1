import { eq, sql } from 'drizzle-orm'
import { createSession } from '@/core/auth/sessions'
import type { Database } from '@/core/db/client'
import { sessions, users } from '@/core/db/schema'

/** Everybody who might call, with what the product should take them for. */
const callers = {
  nobody: 'nobody',
  viewer: 'viewer',
  editor: 'editor',
  admin: 'admin',
  'expired admin': 'nobody',
  'revoked admin': 'nobody',
  'deleted admin': 'nobody',
  'just demoted admin': 'viewer',
} as const

export type Caller = keyof typeof callers
export type Standing = (typeof callers)[Caller]

type Known = { id: string; email: string; token: string }

let count = 0

/** Somebody new with a session, brought into that state after they had signed in. */
export async function makeCaller(database: Database, caller: Exclude<Caller, 'nobody'>) {
  count += 1
  const role = caller.includes('admin') ? 'admin' : (caller as 'viewer' | 'editor')
  const email = `caller-${process.pid}-${count}@example.com`
  const [user] = await database
    .insert(users)
    .values({ email, name: `Caller ${count}`, role, emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('Nobody was made.')
  const device = { address: '127.0.0.1', userAgent: 'test' }
  const { token, session } = await createSession(database, user, device)
  await bring(database, caller, { userId: user.id, sessionId: session.id })
  return { id: user.id, email, token } satisfies Known
}

type Ids = { userId: string; sessionId: string }

async function bring(database: Database, caller: Caller, { userId, sessionId }: Ids) {
  const own = eq(sessions.id, sessionId)
  switch (caller) {
    case 'expired admin':
      await database
        .update(sessions)
        .set({ expiresAt: sql`now() - interval '1 second'` })
        .where(own)
      break
    case 'revoked admin':
      await database.delete(sessions).where(own)
      break
    case 'deleted admin':
      await database.delete(users).where(eq(users.id, userId))
      break
    case 'just demoted admin':
      await database.update(users).set({ role: 'viewer' }).where(eq(users.id, userId))
      break
  }
}

/** The two ways of saying who one is. */
export const transports = {
  cookie: (token: string) => ({ cookie: `authjs.session-token=${token}` }),
  bearer: (token: string) => ({ authorization: `Bearer ${token}` }),
}

/** Each of them in both ways; `identify` makes somebody new and returns the headers they send. */
export const everyCaller = (Object.keys(callers) as Caller[]).flatMap((caller) =>
  (['cookie', 'bearer'] as const).map((by) => ({
    caller,
    by,
    standing: callers[caller],
    identify: async (database: Database): Promise<Record<string, string>> =>
      caller === 'nobody' ? {} : transports[by]((await makeCaller(database, caller)).token),
  })),
)
