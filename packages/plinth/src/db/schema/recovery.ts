import { sql } from 'drizzle-orm'
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, timestamptz } from '#db/schema/column-types'

/** A sign-in method as the history names it. */
export type NamedMethod = { kind: MethodKind; id: string; name: string | null }

export type MethodKind = 'password' | 'provider' | 'app' | 'passkey' | 'codes'

export const accountChanges = pgTable(
  'account_changes',
  {
    id: uuid('id').primaryKey().default(sql`gen_random_uuid()`),
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity(),
    userId: uuid('user_id').notNull(),
    at: timestamptz('at').notNull(),
    email: text('email').notNull(),
    newEmail: text('new_email').notNull(),
    added: jsonb('added').$type<readonly NamedMethod[]>().notNull().default([]),
    removed: jsonb('removed').$type<readonly NamedMethod[]>().notNull().default([]),
    removedRows: bytes('removed_rows'),
    keyId: text('key_id'),
    by: text('changed_by', { enum: ['user', 'admin'] })
      .notNull()
      .default('user'),
    confirmed: boolean('confirmed').notNull().default(false),
    deletes: boolean('deletes').notNull().default(false),
    link: text('link', { enum: ['none', 'open', 'ended'] }).notNull(),
    tokenHash: bytes('token_hash').unique(),
    deliveredAt: timestamptz('delivered_at'),
    heldUntil: timestamptz('held_until'),
    endsAt: timestamptz('ends_at'),
  },
  (table) => [
    index('account_changes_user_id_index').on(table.userId, table.position),
    index('account_changes_email_index').on(table.email),
    index('account_changes_ends_at_index').on(table.endsAt),
  ],
)

/** While a row exists the account is frozen. */
export const recoveries = pgTable(
  'recoveries',
  {
    userId: uuid('user_id').primaryKey(),
    openedAt: timestamptz('opened_at').notNull(),
    openedBy: text('opened_by').array().notNull(),
    state: text('state', { enum: ['waiting', 'admin', 'allowed'] }).notNull(),
    readyAt: timestamptz('ready_at').notNull(),
    reminded: boolean('reminded').notNull().default(false),
  },
  (table) => [index('recoveries_ready_at_index').on(table.readyAt)],
)

export const recoveryLinks = pgTable('recovery_links', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: uuid('user_id').notNull(),
  email: text('email').notNull(),
})

export const recoveryProofs = pgTable(
  'recovery_proofs',
  {
    userId: uuid('user_id').notNull(),
    browserHash: bytes('browser_hash').notNull(),
    kind: text('method_kind').$type<MethodKind>().notNull(),
    methodId: text('method_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.browserHash, table.kind, table.methodId] }),
  ],
)
