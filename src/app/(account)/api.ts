import { z } from 'zod'
import { roles } from '@/core/auth/roles'
import type { SignedInScope } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { scopeOf } from '@/core/http/identify'
import { gatherOwnData } from './data/own-data'
import { mayUseAccount } from './policy'

const moment = z.iso.datetime({ precision: 3 })
const text = z.string().nullable()

const ownData = z
  .strictObject({
    gatheredAt: moment,
    profile: z.strictObject({
      id: z.uuid(),
      email: z.string(),
      name: z.string(),
      role: z.enum(roles),
      emailVerifiedAt: moment.nullable(),
      createdAt: moment,
      updatedAt: moment,
      passwordChangedAt: moment.nullable(),
    }),
    linkedAccounts: z.array(
      z.strictObject({ provider: z.string(), accountId: z.string(), linkedAt: moment }),
    ),
    sessions: z.array(
      z.strictObject({
        id: z.uuid(),
        current: z.boolean(),
        createdAt: moment,
        lastSeenAt: moment,
        expiresAt: moment,
        address: z.string().optional(),
        userAgent: z.string().optional(),
      }),
    ),
    events: z.array(
      z.strictObject({
        at: moment,
        action: z.string(),
        outcome: z.string(),
        by: z.enum(['you', 'somebody else', 'unknown']),
        target: text,
        address: text,
        requestId: text,
        details: z.record(z.string(), z.unknown()),
      }),
    ),
    olderEventsLeftOut: z.boolean(),
    modules: z.record(z.string(), z.unknown()).describe('What each module holds, by its id.'),
  })
  .meta({ id: 'OwnData' })

export const api = [
  route(
    {
      method: 'get',
      path: '/account/data.json',
      name: 'download_data',
      summary: 'Everything that is stored about you',
      description:
        'Profile, linked accounts, sessions, the newest 2,000 events of the audit trail, and what each module holds. No password, and no token.',
      who: mayUseAccount,
      limit: { times: 20, seconds: 600 },
      answers: {
        200: {
          description: 'As a file.',
          body: ownData,
          headers: { 'Content-Disposition': 'A name for the file.' },
        },
      },
      problems: ['rate_limited'],
    },
    async (c) => {
      const data = await gatherOwnData((await scopeOf(c)) as SignedInScope)
      c.header('content-disposition', 'attachment; filename="account-data.json"')
      return c.json(data)
    },
  ),
]
