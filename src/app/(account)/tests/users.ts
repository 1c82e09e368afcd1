import { hashPassword } from 'plinth/auth/passwords/hash'
import { createSession } from 'plinth/auth/sessions/session'
import type { Database } from 'plinth/db/client'
import { accounts, passwords, users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { newScope } from 'plinth/testing'
import type { Role } from 'plinth/universal/users'

export const password = 'a few words in a row'

let hash: Promise<string> | undefined
let created = 0

type UserOptions = { role?: Role; password?: boolean; providers?: readonly string[] }

/** Creates a user with one session and its own IP. */
export async function newUser(
  database: Database,
  { role = 'viewer', password: hasPassword = true, providers = [] }: UserOptions = {},
) {
  created += 1
  const email = `user-${process.pid}-${created}@example.com`
  const [user] = await database
    .insert(users)
    .values({ email, name: `User ${created}`, role, emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('No user was created.')
  if (hasPassword) await setPassword(database, user.id)
  for (const provider of providers) {
    const account = { provider, providerAccountId: `${created}`, userId: user.id }
    await database.insert(accounts).values(account)
  }
  const first = await signIn(database, user)
  return { id: user.id, email, user, ...first }
}

export async function setPassword(database: Database, userId: string): Promise<void> {
  hash ??= hashPassword(password)
  await database.insert(passwords).values({ userId, hash: await hash })
}

/** Another session of the user, as on another device. */
export async function signIn(
  database: Database,
  user: Parameters<typeof createSession>[1],
  userAgent = 'test',
) {
  const { token, session } = await createSession(
    database,
    user,
    { ip: '::1', userAgent },
    { by: 'password' },
  )
  const scope: SignedInScope = { ...newScope(), session }
  return { token, session, scope }
}
