import { bigint, date, pgTable } from 'drizzle-orm/pg-core'

/** For queries only; the table is created in migrations/. */
export const signInDays = pgTable('sign_in_days', {
  day: date('day').primaryKey(),
  succeeded: bigint('succeeded', { mode: 'number' }).notNull(),
  failed: bigint('failed', { mode: 'number' }).notNull(),
})
