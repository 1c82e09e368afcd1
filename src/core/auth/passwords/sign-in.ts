import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { verifyPassword } from '@/core/auth/passwords/hash'
import { startSession } from '@/core/auth/passwords/start-session'
import type { NewSession } from '@/core/auth/sessions/session'
import { database, preparedQuery } from '@/core/db/client'
import { passwords, users } from '@/core/db/schema'
import type { Scope } from '@/core/http/scope'

export type Credentials = { email: string; password: string }

const findByEmail = preparedQuery((database) =>
  database
    .select({
      user: {
        id: users.id,
        email: users.email,
        name: users.name,
        role: users.role,
        theme: users.theme,
      },
      verifiedAt: users.emailVerifiedAt,
      hash: passwords.hash,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, sql.placeholder('email')))
    .prepare('find_credentials'),
)

/** Undefined for an unknown email, a wrong password and an unverified email alike. */
export async function signInWithPassword(
  scope: Scope,
  { email, password }: Credentials,
): Promise<NewSession | undefined> {
  const [found] = await findByEmail(database()).execute({ email })
  const matches = await verifyPassword(found?.hash ?? undefined, password)
  const verified = found?.verifiedAt && matches ? found : undefined
  const created = verified && (await startSession(scope, verified.user, verified.hash ?? ''))
  if (created) return created
  const { ip, requestId } = scope
  const targetId = found?.user.id
  await record(database(), { action: 'sign_in', outcome: 'failure', targetId, ip, requestId })
  return undefined
}
