import { route } from 'plinth/guard/route'
import { textStream } from 'plinth/http/streams'
import { roles } from 'plinth/universal/users'
import { z } from 'zod'
import { auditFilter } from './audit/audit-filter'
import { encodeCursor } from './cursor'
import { exportEvents, recordExport } from './data/export-audit'
import { exportUsers, recordUserExport } from './data/export-users'
import { findUsers } from './data/list-users'
import { mayAdminister } from './policy'
import { userFilter, usersQuery } from './users-query'

const publicUser = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  createdAt: z.iso.datetime({ precision: 3 }),
})

export const api = [
  route(
    {
      method: 'get',
      path: '/demo/admin/users',
      name: 'list_users',
      summary: 'List users',
      description:
        'Newest first by default. `query` matches part of the email or name; text without three letters or digits in a row matches the start only. To get the next page, send `nextCursor` as `cursor` with the same `sort`. It is `null` on the last page.',
      authorize: mayAdminister,
      input: { query: usersQuery },
      responses: {
        200: {
          description: 'A page of users.',
          body: z.strictObject({ users: z.array(publicUser), nextCursor: z.string().nullable() }),
        },
      },
    },
    async ({ input: { query } }) => {
      const { users, next } = await findUsers(query)
      return { users, nextCursor: next ? encodeCursor(next) : null }
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/users.csv',
      name: 'export_users',
      summary: 'Export users as CSV',
      description:
        'The users that match `query` and `role`, in the order of `sort`, as in the list of users. The response is streamed.',
      authorize: mayAdminister,
      rateLimit: { times: 30, seconds: 600 },
      recentSignIn: true,
      returnTo: '/admin/users',
      download: () => `users-${new Date().toISOString().slice(0, 10)}.csv`,
      input: { query: userFilter },
      responses: {
        200: {
          description: 'A header line, then one user per line.',
          type: 'text/csv',
          body: z.string(),
        },
      },
    },
    async ({ scope, input: { query }, c }) => {
      await recordUserExport(scope)
      return c.body(textStream(exportUsers(query)), 200, {
        'content-type': 'text/csv; charset=utf-8',
      })
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/audit.csv',
      name: 'export_audit_log',
      summary: 'Export the audit log as CSV',
      description:
        'Newest first. `from` and `to` are days, both inclusive, in `timeZone`, which is an IANA name and UTC by default. `user` is an email, a user id, or part of a name. The response is streamed.',
      authorize: mayAdminister,
      rateLimit: { times: 30, seconds: 600 },
      recentSignIn: true,
      returnTo: '/admin/audit',
      download: () => `audit-${new Date().toISOString().slice(0, 10)}.csv`,
      input: { query: auditFilter },
      responses: {
        200: {
          description: 'A header line, then one event per line.',
          type: 'text/csv',
          body: z.string(),
        },
      },
    },
    async ({ scope, input: { query }, c }) => {
      await recordExport(scope)
      return c.body(textStream(exportEvents(query)), 200, {
        'content-type': 'text/csv; charset=utf-8',
      })
    },
  ),
]
