import { route } from 'plinth/guard/route'
import { jsonChunks, textStream } from 'plinth/http/streams'
import { roles, themes } from 'plinth/universal/users'
import { z } from 'zod'
import { exportData } from './data/data-export'
import { mayUseAccount } from './policy'

const timestamp = z.iso.datetime({ precision: 3 })
const text = z.string().nullable()

const method = z.strictObject({ kind: z.string(), name: text })

const dataExport = z
  .strictObject({
    exportedAt: timestamp,
    profile: z.strictObject({
      id: z.uuid(),
      email: z.string(),
      name: z.string(),
      role: z.enum(roles),
      timeZone: text,
      theme: z.enum(themes).nullable(),
      emailVerifiedAt: timestamp.nullable(),
      createdAt: timestamp,
      updatedAt: timestamp,
      passwordChangedAt: timestamp.nullable(),
    }),
    linkedAccounts: z.array(
      z.strictObject({ provider: z.string(), accountId: z.string(), linkedAt: timestamp }),
    ),
    signInChanges: z
      .array(
        z.strictObject({
          at: timestamp,
          email: z.string(),
          newEmail: z.string(),
          by: z.enum(['user', 'admin']),
          added: z.array(method),
          removed: z.array(method),
          linkEndsAt: timestamp.nullable(),
        }),
      )
      .describe('Recent changes of your email and sign-in methods, while a link can undo them.'),
    sessions: z.array(
      z.strictObject({
        id: z.uuid(),
        current: z.boolean(),
        createdAt: timestamp,
        lastSeenAt: timestamp,
        expiresAt: timestamp,
        ip: z.string().optional(),
        userAgent: z.string().optional(),
      }),
    ),
    links: z
      .array(
        z.strictObject({
          purpose: z.string(),
          email: z.string(),
          createdAt: timestamp,
          expiresAt: timestamp,
        }),
      )
      .describe('Links that were sent by mail and not used yet.'),
    queuedMail: z.array(
      z.strictObject({
        purpose: z.string(),
        data: z.record(z.string(), z.unknown()),
        createdAt: timestamp,
      }),
    ),
    events: z.array(
      z.strictObject({
        at: timestamp,
        action: z.string(),
        outcome: z.string(),
        by: z.enum(['you', 'another user', 'unknown']),
        target: text,
        ip: text,
        requestId: text,
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    modules: z.record(z.string(), z.unknown()).describe('The data of each module, by module id.'),
  })
  .meta({ id: 'DataExport' })

export const api = [
  route(
    {
      method: 'get',
      path: '/account/data.json',
      name: 'export_data',
      summary: 'Export your data',
      description:
        'Profile, linked accounts, sessions, links, queued mail, audit events and the data of each module. Contains no password hash and no token. The response is streamed.',
      authorize: mayUseAccount,
      rateLimit: { times: 20, seconds: 600 },
      recentSignIn: true,
      returnTo: '/account/data',
      download: 'account-data.json',
      responses: {
        200: {
          description: 'A JSON file.',
          type: 'application/json',
          body: dataExport,
        },
      },
      problems: ['rate_limited'],
    },
    async ({ scope, c }) =>
      c.body(textStream(jsonChunks(await exportData(scope))), 200, {
        'content-type': 'application/json',
      }),
  ),
]
