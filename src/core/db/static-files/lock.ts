import 'server-only'
import { sql } from 'drizzle-orm'

/** Held until the transaction ends. Reads do not need it. */
export const lockStaticFiles = sql`select pg_advisory_xact_lock(hashtextextended('plinth.static-files', 0))`
