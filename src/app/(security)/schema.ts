import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

/** For queries only; the tables are created in migrations/. */
const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value),
})

const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

export const authenticatorApps = pgTable('authenticator_apps', {
  userId: uuid('user_id').primaryKey(),
  secret: bytes('secret').notNull(),
  keyId: text('key_id').notNull(),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  preparedFor: text('prepared_for'),
  confirmedAt: timestamptz('confirmed_at'),
  lastUsedAt: timestamptz('last_used_at'),
})

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id').notNull(),
    codeHash: bytes('code_hash').notNull(),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    usedAt: timestamptz('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)

export const passkeys = pgTable('passkeys', {
  id: text('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text('name').notNull(),
  publicKey: bytes('public_key').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull(),
  transports: text('transports').array().notNull().default(sql`'{}'`),
  synced: boolean('synced').notNull(),
  rpId: text('rp_id'),
  createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  lastUsedAt: timestamptz('last_used_at'),
})

export const passkeyChallenges = pgTable('passkey_challenges', {
  challengeHash: bytes('challenge_hash').primaryKey(),
  userId: uuid('user_id'),
  expiresAt: timestamptz('expires_at').notNull(),
})

export const signInChallenges = pgTable('sign_in_challenges', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: uuid('user_id').notNull(),
  provedBy: text('proved_by').notNull(),
  tries: integer('tries').notNull().default(0),
  createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  expiresAt: timestamptz('expires_at').notNull(),
  mailboxProvedAt: timestamptz('mailbox_proved_at'),
})

export const rememberedBrowsers = pgTable('remembered_browsers', {
  id: uuid('id').primaryKey().default(sql`gen_random_uuid()`),
  userId: uuid('user_id').notNull(),
  deviceHash: bytes('device_hash').notNull(),
  ip: text('ip'),
  userAgent: text('user_agent'),
  createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  lastUsedAt: timestamptz('last_used_at').notNull().default(sql`now()`),
  expiresAt: timestamptz('expires_at').notNull(),
})

export const noticeSettings = pgTable('notice_settings', {
  userId: uuid('user_id').primaryKey(),
  newDevice: boolean('new_device').notNull(),
})

export const signInLinks = pgTable('sign_in_links', {
  userId: uuid('user_id').primaryKey(),
  email: text('email').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  browserHash: bytes('browser_hash').notNull(),
  codeHash: bytes('code_hash').notNull(),
  tries: integer('tries').notNull().default(0),
  createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  expiresAt: timestamptz('expires_at').notNull(),
})

export const emailChanges = pgTable('email_changes', {
  userId: uuid('user_id').primaryKey(),
  id: uuid('id').notNull(),
  email: text('email').notNull(),
  tokenHash: bytes('token_hash'),
  createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  expiresAt: timestamptz('expires_at').notNull(),
})
