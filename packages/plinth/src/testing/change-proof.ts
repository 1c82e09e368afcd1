import type { Change } from '#auth/accounts/change-proofs'
import type { Database } from '#db/client'
import { changeProofs } from '#db/schema'
import type { SignedInScope } from '#guard/policy'

/** As if the user had just given all proofs that an account without a provider can need. */
export async function giveAllProofs(
  database: Database,
  { session }: SignedInScope,
  change: Change,
): Promise<void> {
  const kinds = ['password', 'mail_code', 'recovery_code'] as const
  const rows = kinds.map((kind) => ({ sessionId: session.id, change, kind }))
  await database.insert(changeProofs).values(rows).onConflictDoNothing()
}
