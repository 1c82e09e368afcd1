import { z } from 'zod'
import { roles } from '@/core/auth/roles'
import type { SignedInScope } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import type { ApiContext } from '@/core/http/context'
import { scopeOf } from '@/core/http/identify'
import { auditFilter } from './audit-filter'
import { cursorText } from './cursor'
import { exportEvents, recordExport } from './data/export-audit'
import { listUsers } from './data/list-users'
import { mayAdminister } from './policy'
import { streamOf } from './stream'
import { usersQuery } from './users-query'

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
      name: 'users',
      summary: 'The people who have an account',
      description:
        'A page of them, newest first unless `sort` says otherwise. `query` is a part of the address or of the name; text without three letters or digits in a row is how one of them begins. `nextCursor`, sent back as `cursor` with the same `sort`, brings the next page; it is `null` on the last.',
      who: mayAdminister,
      takes: { query: usersQuery },
      answers: {
        200: {
          description: 'A page of people.',
          body: z.strictObject({ users: z.array(publicUser), nextCursor: z.string().nullable() }),
        },
      },
    },
    async (c, { query }) => {
      const { users, next } = await listUsers(await admin(c), query)
      return c.json({
        users: users.map((user) => ({ ...user, createdAt: user.createdAt.toISOString() })),
        nextCursor: next ? cursorText(next) : null,
      })
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/audit.csv',
      name: 'audit_csv',
      summary: 'The audit trail as CSV',
      description:
        'Newest first, all of it or what the filter leaves. `from` and `to` are days in UTC, both included; `person` is an address or an id. It is sent while it is read, however long it is.',
      who: mayAdminister,
      limit: { times: 30, seconds: 600 },
      takes: { query: auditFilter },
      answers: {
        200: {
          description: 'One event a line, after a line with the names of the columns.',
          type: 'text/csv',
          body: z.string(),
          headers: { 'Content-Disposition': 'A name to save it under.' },
        },
      },
    },
    async (c, { query }) => {
      const scope = await admin(c)
      await recordExport(scope)
      const day = new Date().toISOString().slice(0, 10)
      return c.body(streamOf(exportEvents(scope, query)), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="audit-${day}.csv"`,
      })
    },
  ),
]

/** The guard has asked already; whoever came this far is one. */
async function admin(c: ApiContext): Promise<SignedInScope> {
  return (await scopeOf(c)) as SignedInScope
}
