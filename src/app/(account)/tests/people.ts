import { newScope } from '@tests/support/scope'
import { hashPassword } from '@/core/auth/password'
import type { Role } from '@/core/auth/roles'
import { createSession } from '@/core/auth/sessions'
import type { Database } from '@/core/db/client'
import { accounts, passwords, users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'

export const password = 'a few words in a row'

let hash: Promise<string> | undefined
let made = 0

type Wanted = { role?: Role; password?: boolean; providers?: readonly string[] }

/** Somebody new with one session, at an address of their own. */
export async function newPerson(
  database: Database,
  { role = 'viewer', password: has = true, providers = [] }: Wanted = {},
) {
  made += 1
  const email = `person-${process.pid}-${made}@example.com`
  const [user] = await database
    .insert(users)
    .values({ email, name: `Person ${made}`, role, emailVerifiedAt: new Date() })
    .returning()
  if (!user) throw new Error('Nobody was made.')
  if (has) await givePassword(database, user.id)
  for (const provider of providers) {
    const account = { provider, providerAccountId: `${made}`, userId: user.id }
    await database.insert(accounts).values(account)
  }
  const first = await signIn(database, user)
  return { id: user.id, email, user, ...first }
}

export async function givePassword(database: Database, userId: string): Promise<void> {
  hash ??= hashPassword(password)
  await database.insert(passwords).values({ userId, hash: await hash })
}

/** Another session of theirs, as from another device. */
export async function signIn(
  database: Database,
  user: Parameters<typeof createSession>[1],
  userAgent = 'test',
) {
  const { token, session } = await createSession(database, user, { address: '::1', userAgent })
  const scope: SignedInScope = { ...newScope(), session }
  return { token, session, scope }
}
