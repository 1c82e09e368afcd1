import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApi } from '#api/api'
import { type Change, type Factor, installFactors } from '#auth/accounts/change-proofs'
import { createDemoAccounts } from '#auth/accounts/users'
import { createSession, revokeUserSessions } from '#auth/sessions/session'
import { changeProofs, users } from '#db/schema'
import { mutation } from '#guard/mutation'
import { isSignedIn, type SignedInScope } from '#guard/policy'
import { route } from '#guard/route'
import { testDatabase } from '#testing/database/database'
import { lastEvent, snapshotDatabase } from '#testing/database/database-rows'
import { signedInScope } from '#testing/scope'
import { isActionError, refuse } from '#universal/action-result'
import { demoPassword } from '#universal/users'

const db = testDatabase()
const email = 'viewer@example.com'

beforeAll(() => createDemoAccounts(db.database))

/** The factors of the user, as a module would find them. */
let factors: Factor[] = []

let scope: SignedInScope
beforeEach(async () => {
  scope = await signedInScope(db.database, email)
  installFactors([{ factors: { find: async () => factors, page: '/factor' } }])
})

afterEach(() => {
  factors = []
  installFactors([])
})

const declaration = {
  name: 'rename',
  authorize: isSignedIn,
  rateLimit: { times: 1000, seconds: 60 },
  proof: 'add_factor' as const,
  input: z.object({ name: z.string() }),
}

const rename = mutation(declaration, async ({ tx, scope, input: { name }, provedBy }) => {
  if (name === 'refused') return refuse('conflict')
  await tx.update(users).set({ name }).where(eq(users.id, scope.session.user.id))
  return { provedBy: provedBy.map(({ kind }) => kind) }
})

const input = { name: 'Renamed' }
const required = { ok: false, code: 'proof_required', change: 'add_factor' }

type Given = { by?: SignedInScope; change?: Change; kind?: 'password' | 'recovery_code' }

async function give({ by = scope, change = 'add_factor', kind = 'password' }: Given = {}) {
  await db.database.insert(changeProofs).values({ sessionId: by.session.id, change, kind })
}

async function expectRefused(by: SignedInScope = scope) {
  const before = await snapshotDatabase(db.database)
  expect(await rename.run(by, input)).toMatchObject(required)
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'rename',
    outcome: 'denied',
    actorId: by.session.user.id,
    details: { reason: 'proof_required' },
  })
}

describe('a session alone, however recent,', () => {
  test('is refused, changes nothing and is audited', () => expectRefused())

  test('with a proof of another session', async () => {
    await give({ by: await signedInScope(db.database, email) })
    await expectRefused()
  })

  test('with a proof of another change', async () => {
    await give({ change: 'delete_account' })
    await expectRefused()
  })

  test('with a proof that is older than ten minutes', async () => {
    await give()
    await db.database
      .update(changeProofs)
      .set({ createdAt: sql`now() - interval '10 minutes 1 second'` })
    await expectRefused()
  })

  test('with a proof from before the password was changed', async () => {
    await give()
    const { user } = scope.session
    await revokeUserSessions(db.database, user.id)
    const { session } = await createSession(db.database, user, scope, { by: 'password' })
    await expectRefused({ ...scope, session })
    expect(await rename.run(scope, input)).toMatchObject({ code: 'unauthenticated' })
  })

  test('with a password, once a factor has been added', async () => {
    await give()
    factors = [{ kind: 'app', methodId: 'phone' }]
    await expectRefused()
    expect(await rename.run(scope, { ...input, ...currentPassword })).toMatchObject(required)
  })

  test('with a recovery code and no first proof', async () => {
    factors = [{ kind: 'app', methodId: 'phone' }]
    await give({ kind: 'recovery_code' })
    await expectRefused()
  })
})

const currentPassword = { currentPassword: demoPassword }

describe('a proof', () => {
  test('is used up by the change, which learns and records what it was', async () => {
    await give()
    expect(await rename.run(scope, input)).toEqual({ provedBy: ['password'] })
    expect(await lastEvent(db.database)).toMatchObject({
      outcome: 'success',
      details: { proved_by: 'password' },
    })
    await expectRefused()
  })

  test('is not used up by a change that is refused', async () => {
    await give()
    expect(await rename.run(scope, { name: 'refused' })).toMatchObject({ code: 'conflict' })
    expect(await rename.run(scope, input)).toEqual({ provedBy: ['password'] })
  })

  test('is not used up by what prepares the change, and needed for it', async () => {
    const prepare = mutation({ ...declaration, keepsProof: true }, async () => 'prepared')
    expect(await prepare.run(scope, input)).toMatchObject(required)
    await give()
    expect(await prepare.run(scope, input)).toBe('prepared')
    expect(await rename.run(scope, input)).toEqual({ provedBy: ['password'] })
    expect(await prepare.run(scope, input)).toMatchObject(required)
  })

  test('is used by one of two concurrent changes', async () => {
    for (let round = 0; round < 5; round += 1) {
      await give()
      const both = await Promise.all([rename.run(scope, input), rename.run(scope, input)])
      expect(both.filter(isActionError)).toMatchObject([required])
    }
  })

  test('does not end with the proof of another change or session', async () => {
    const other = await signedInScope(db.database, email)
    await give({ change: 'delete_account' })
    await give({ by: other })
    await give()
    await rename.run(scope, input)
    const left = await db.database
      .select({ sessionId: changeProofs.sessionId, change: changeProofs.change })
      .from(changeProofs)
    expect(left).toContainEqual({ sessionId: scope.session.id, change: 'delete_account' })
    expect(left).toContainEqual({ sessionId: other.session.id, change: 'add_factor' })
  })
})

describe('a password that is sent with the call', () => {
  test('proves it for an account without a factor, and for this call only', async () => {
    const sent = { ...input, ...currentPassword }
    expect(await rename.run(scope, sent)).toEqual({ provedBy: ['password'] })
    await expectRefused()
  })

  test('is refused if it is wrong', async () => {
    await give()
    const sent = { ...input, currentPassword: 'not the password' }
    expect(await rename.run(scope, sent)).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'currentPassword', message: 'The password is incorrect.' }],
    })
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'rename',
      outcome: 'failure',
      details: { reason: 'wrong_password' },
    })
  })

  test('is needed besides a proof where the form has a field for it', async () => {
    const strict = mutation(
      { ...declaration, input: z.object({ currentPassword: z.string().optional() }) },
      async ({ provedBy }) => provedBy.map(({ kind }) => kind),
    )
    await give({ kind: 'recovery_code' })
    expect(await strict.run(scope, {})).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'currentPassword', message: 'Enter your password.' }],
    })
    factors = [{ kind: 'app', methodId: 'phone' }]
    expect(await strict.run(scope, currentPassword)).toEqual(['recovery_code', 'password'])
  })
})

test('a route responds with 403 proof_required and the change', async () => {
  const api = createApi([
    {
      id: 'test',
      api: [
        route(
          {
            ...rename.guard,
            method: 'post',
            path: '/rename',
            summary: 'Test',
            responses: { 204: { description: 'Done.' } },
            problems: ['proof_required'],
          },
          async ({ scope }) => {
            const result = await rename.run(scope, input)
            return isActionError(result) ? result : undefined
          },
        ),
      ],
    },
  ])
  const { user } = scope.session
  const device = { ip: '127.0.0.1' }
  const { token, session } = await createSession(db.database, user, device, { by: 'password' })
  const send = () =>
    api.request('/api/rename', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  const refused = await send()
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ code: 'proof_required', change: 'add_factor' })
  await give({ by: { ...scope, session } })
  expect((await send()).status).toBe(204)
})
