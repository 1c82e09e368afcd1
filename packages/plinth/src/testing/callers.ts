import { eq, sql } from 'drizzle-orm'
import { createSession } from '#auth/sessions/session'
import type { Database } from '#db/client'
import { sessions, users } from '#db/schema'
import { nightly } from '#testing/nightly'

/** The callers of the authorization matrix and the role each must have. */
const callers = {
  anonymous: 'anonymous',
  viewer: 'viewer',
  editor: 'editor',
  admin: 'admin',
  'expired admin': 'anonymous',
  'revoked admin': 'anonymous',
  'deleted admin': 'anonymous',
  'just demoted admin': 'viewer',
} as const

export type Caller = keyof typeof callers
export type EffectiveRole = (typeof callers)[Caller]

let count = 0

/** Creates a signed-in user, then applies the state of the caller. */
export async function createCaller(database: Database, caller: Exclude<Caller, 'anonymous'>) {
  count += 1
  const role = caller.includes('admin') ? 'admin' : (caller as 'viewer' | 'editor')
  const email = `caller-${process.pid}-${count}@example.com`
  const [user] = await database
    .insert(users)
    .values({ email, name: `Caller ${count}`, role, emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('No user was created.')
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  const { token, session } = await createSession(database, user, device, { by: 'password' })
  await applyState(database, caller, { userId: user.id, sessionId: session.id })
  return { id: user.id, email, token }
}

type Ids = { userId: string; sessionId: string }

async function applyState(database: Database, caller: Caller, { userId, sessionId }: Ids) {
  const session = eq(sessions.id, sessionId)
  switch (caller) {
    case 'expired admin':
      await database
        .update(sessions)
        .set({ expiresAt: sql`now() - interval '1 second'` })
        .where(session)
      break
    case 'revoked admin':
      await database.delete(sessions).where(session)
      break
    case 'deleted admin':
      await database.delete(users).where(eq(users.id, userId))
      break
    case 'just demoted admin':
      await database.update(users).set({ role: 'viewer' }).where(eq(users.id, userId))
      break
  }
}

export const transports = {
  cookie: (token: string) => ({ cookie: `authjs.session-token=${token}` }),
  bearer: (token: string) => ({ authorization: `Bearer ${token}` }),
}

/** Every caller with each transport. `authenticate` creates a caller and returns its headers. */
export const allCallers = (Object.keys(callers) as Caller[]).flatMap((caller) =>
  (['cookie', 'bearer'] as const).map((by) => ({
    caller,
    by,
    effectiveRole: callers[caller],
    authenticate: async (database: Database): Promise<Record<string, string>> =>
      caller === 'anonymous' ? {} : transports[by]((await createCaller(database, caller)).token),
  })),
)

/**
 * For a matrix with a running server: every caller with one transport in turn, and at night with both.
 * A contract test has all of them in every run.
 */
export const matrixCallers = allCallers.filter((_, index) => nightly || [0, 3].includes(index % 4))
