import 'server-only'
import { isNotNull, type SQL, sql } from 'drizzle-orm'
import type { MethodTable } from 'plinth/recovery/methods'
import { authenticatorApps, passkeys, recoveryCodes } from '../../schema'

/** Ids are those of the proofs of a change, which name the factor too. */
export const methodTables: readonly MethodTable[] = [
  {
    kind: 'app',
    table: authenticatorApps,
    id: isoTime(sql`${authenticatorApps.confirmedAt}`),
    counts: isNotNull(authenticatorApps.confirmedAt),
  },
  { kind: 'passkey', table: passkeys, id: sql`${passkeys.id}`, name: sql`${passkeys.name}` },
  {
    kind: 'codes',
    table: recoveryCodes,
    // Codes that were created together are one method, also after the last of them was used: it may
    // have been used as the proof of a recovery.
    id: isoTime(sql`${recoveryCodes.createdAt}`),
  },
]

/** As `toISOString` writes it. */
function isoTime(time: SQL): SQL {
  return sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
