import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, timestamptz } from '#db/schema/column-types'
import { roles, themes } from '#universal/users'

/**
 * The engine's tables for queries. The tables themselves, with constraints and triggers, are in
 * migrations/; a test compares the two.
 */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().default(sql`gen_random_uuid()`),
    email: text('email').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: roles }).notNull().default('viewer'),
    emailVerifiedAt: timestamptz('email_verified_at'),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    updatedAt: timestamptz('updated_at').notNull().default(sql`now()`),
    /** Preferences. Null: the browser decides. */
    timeZone: text('time_zone'),
    theme: text('theme', { enum: themes }),
    /** Email and name in lower case, for searches by a part of them. */
    search: text('search').generatedAlwaysAs(sql`email || E'\\n' || lower(name)`),
  },
  (table) => [
    uniqueIndex('users_email_key').on(table.email),
    index('users_created_at_index').on(table.createdAt, table.id),
    index('users_name_index').on(sql`lower(${table.name})`, table.id),
    index('users_role_created_at_index').on(table.role, table.createdAt, table.id),
    index('users_role_name_index').on(table.role, sql`lower(${table.name})`, table.id),
    index('users_role_email_index').on(table.role, table.email),
  ],
)

/** Written by triggers: the change in the number of users, by role and day of creation. */
export const userCounts = pgTable('user_counts', {
  role: text('role', { enum: roles }).notNull(),
  day: date('day').notNull(),
  change: bigint('change', { mode: 'number' }).notNull(),
})

/** A separate table, so that no query for a user returns a hash. */
export const passwords = pgTable('passwords', {
  userId: uuid('user_id').primaryKey(),
  hash: text('hash').notNull(),
  updatedAt: timestamptz('updated_at').notNull().default(sql`now()`),
})

export const accounts = pgTable(
  'accounts',
  {
    provider: text('provider').notNull(),
    providerAccountId: text('provider_account_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.providerAccountId] }),
    uniqueIndex('accounts_user_id_provider_key').on(table.userId, table.provider),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().default(sql`gen_random_uuid()`),
    tokenHash: bytes('token_hash').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    lastSeenAt: timestamptz('last_seen_at').notNull().default(sql`now()`),
    expiresAt: timestamptz('expires_at').notNull(),
    authenticatedAt: timestamptz('authenticated_at').notNull().default(sql`now()`),
    authenticatedBy: text('authenticated_by').notNull().default('unknown'),
    ip: text('ip'),
    userAgent: text('user_agent'),
  },
  (table) => [
    uniqueIndex('sessions_token_hash_key').on(table.tokenHash),
    index('sessions_user_id_index').on(table.userId),
    index('sessions_expires_at_index').on(table.expiresAt),
  ],
)

export const proofKinds = [
  'password',
  'provider',
  'mail_code',
  'app',
  'passkey',
  'recovery_code',
] as const

export const changeProofs = pgTable(
  'change_proofs',
  {
    sessionId: uuid('session_id').notNull(),
    change: text('change').notNull(),
    kind: text('kind', { enum: proofKinds }).notNull(),
    /** The id of the provider, the authenticator app or the passkey. */
    methodId: text('method_id'),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.change, table.kind] })],
)

export const mailCodes = pgTable(
  'mail_codes',
  {
    key: text('key').primaryKey(),
    codeHash: bytes('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    expiresAt: timestamptz('expires_at').notNull(),
  },
  (table) => [index('mail_codes_expires_at_index').on(table.expiresAt)],
)

export const verificationPurposes = ['verify_email', 'reset_password', 'invitation'] as const

export const verificationTokens = pgTable(
  'verification_tokens',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    purpose: text('purpose', { enum: verificationPurposes }).notNull(),
    email: text('email').notNull(),
    userId: uuid('user_id'),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    expiresAt: timestamptz('expires_at').notNull(),
    /** The role of the account that an invitation creates. */
    role: text('role', { enum: roles }),
  },
  (table) => [
    uniqueIndex('verification_tokens_purpose_email_key').on(table.purpose, table.email),
    index('verification_tokens_email_index').on(table.email),
    index('verification_tokens_user_id_index').on(table.userId),
    index('verification_tokens_expires_at_index').on(table.expiresAt),
  ],
)

export const mailQueue = pgTable(
  'mail_queue',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    purpose: text('purpose').notNull(),
    email: text('email').notNull(),
    data: jsonb('data').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    attempts: integer('attempts').notNull().default(0),
    dueAt: timestamptz('due_at').notNull().default(sql`now()`),
  },
  (table) => [
    uniqueIndex('mail_queue_purpose_email_data_key').on(table.purpose, table.email, table.data),
    index('mail_queue_due_at_index').on(table.dueAt),
  ],
)

/** Given up after the last attempt. */
export const failedMail = pgTable(
  'failed_mail',
  {
    id: bigint('id', { mode: 'number' }).primaryKey(),
    purpose: text('purpose').notNull(),
    email: text('email').notNull(),
    data: jsonb('data').$type<Readonly<Record<string, unknown>>>().notNull(),
    createdAt: timestamptz('created_at').notNull(),
    attempts: integer('attempts').notNull(),
    failedAt: timestamptz('failed_at').notNull().default(sql`now()`),
    reason: text('reason').notNull(),
  },
  (table) => [
    index('failed_mail_failed_at_index').on(table.failedAt, table.id),
    index('failed_mail_email_index').on(table.email),
  ],
)

/** The rows that `archiveUser` keeps of deleted accounts. */
export const deletedAccountRows = pgTable(
  'deleted_account_rows',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid('user_id').notNull(),
    eraseAt: timestamptz('erase_at').notNull(),
    tableName: text('table_name').notNull(),
    content: jsonb('content').$type<Readonly<Record<string, string | null>>>().notNull(),
    /** The foreign key of a reference that a row has lost. */
    constraintName: text('constraint_name'),
    rowKey: jsonb('row_key').$type<Readonly<Record<string, string>>>(),
  },
  (table) => [
    index('deleted_account_rows_user_id_index').on(
      table.userId,
      table.tableName,
      table.constraintName,
    ),
    index('deleted_account_rows_erase_at_index').on(table.eraseAt),
  ],
)

export const jobs = pgTable(
  'jobs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    data: jsonb('data').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    /** Only one of the jobs with one name and one key waits or runs. */
    key: text('key'),
    createdAt: timestamptz('created_at').notNull().default(sql`now()`),
    dueAt: timestamptz('due_at').notNull().default(sql`now()`),
    attempts: integer('attempts').notNull().default(0),
    /** While it runs. It is then due again when its process has died. */
    startedAt: timestamptz('started_at'),
    failedAt: timestamptz('failed_at'),
    /** The reason for the last failed attempt. */
    reason: text('reason'),
  },
  (table) => [
    uniqueIndex('jobs_name_key_key').on(table.name, table.key).where(sql`failed_at is null`),
    index('jobs_due_at_index').on(table.dueAt).where(sql`failed_at is null`),
    index('jobs_failed_at_index').on(table.failedAt, table.id).where(sql`failed_at is not null`),
  ],
)

export const jobSchedules = pgTable('job_schedules', {
  name: text('name').primaryKey(),
  /** A cron expression. */
  schedule: text('schedule').notNull(),
  timeZone: text('time_zone').notNull(),
  nextAt: timestamptz('next_at').notNull(),
  lastEndedAt: timestamptz('last_ended_at'),
  lastOutcome: text('last_outcome', { enum: ['success', 'failure'] }),
})

export const auditOutcomes = ['success', 'failure', 'denied'] as const

/** In monthly partitions. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint('id', { mode: 'number' }).notNull().default(sql`nextval('audit_events_id_seq')`),
    at: timestamptz('at').notNull().default(sql`now()`),
    action: text('action').notNull(),
    outcome: text('outcome', { enum: auditOutcomes }).notNull(),
    actorId: uuid('actor_id'),
    targetId: text('target_id'),
    ip: text('ip'),
    requestId: text('request_id'),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.at, table.id] }),
    index('audit_events_actor_id_index').on(table.actorId, table.at, table.id),
    index('audit_events_target_id_index').on(table.targetId, table.at, table.id),
    index('audit_events_action_index').on(table.action, table.at, table.id),
  ],
)

/** The content of static files by SHA-256. */
export const staticFiles = pgTable('static_files', {
  hash: bytes('hash').primaryKey(),
  content: bytes('content').notNull(),
})

export const staticBuilds = pgTable(
  'static_builds',
  {
    id: text('id').primaryKey(),
    /** Hashes in hexadecimal, by the path below `/_next/static/`. */
    files: jsonb('files').$type<Readonly<Record<string, string>>>().notNull(),
    /** Null if an earlier version stored it. */
    mac: bytes('mac'),
    usedAt: timestamptz('used_at').notNull().default(sql`now()`),
  },
  (table) => [index('static_builds_used_at_index').on(table.usedAt)],
)

export * from '#db/schema/recovery'
