import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accountChanges, recoveries, users } from '#db/schema'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { run } from '#testing/program'
import { engineCommand } from '#testing/server/engine-command'

// Each step starts the program.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})

afterAll(() => fresh.remove())

async function recover(...args: string[]) {
  const program = run(...engineCommand('recovery', ...args), {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    ...fresh.settings,
  })
  return { code: await program.exited, output: program.output() }
}

/** A thief has changed the email. */
async function createVictim() {
  const { database, close } = await openFresh(fresh)
  const [user] = await database
    .insert(users)
    .values({ email: 'b@example.com', name: 'Ada', role: 'admin' })
    .returning({ id: users.id })
  const now = new Date()
  await database.insert(accountChanges).values({
    userId: user?.id ?? '',
    at: now,
    email: 'a@example.com',
    newEmail: 'b@example.com',
    added: [],
    removed: [],
    by: 'user',
    confirmed: false,
    link: 'open',
    deliveredAt: now,
    endsAt: new Date(now.getTime() + 7 * 24 * 60 * 60 * 1000),
  })
  await close()
  return user?.id ?? ''
}

test('the only admin gets the account back by command', async () => {
  const missing = await recover('a@example.com')
  expect(missing.output).toBe(
    'a@example.com is neither the email of an account nor one that it has left.\n',
  )
  expect(missing.code).toBe(1)
  const userId = await createVictim()

  const shown = await recover('A@example.com')
  expect(shown.output).toContain('Account b@example.com (not frozen)')
  expect(shown.output).toContain('The email was changed from a@example.com to b@example.com.')
  expect(shown.output).toMatch(/Notice to a@example\.com\. Its link works until \S+ \S+ UTC\./)
  expect(shown.code).toBe(0)

  const opened = await recover('a@example.com', '--open')
  expect(opened.output).toContain('The account is frozen.')
  const allowed = await recover('b@example.com', '--allow', 'a@example.com')
  expect(allowed.output).toMatch(/\n {2}http:\S+\/recover\?token=[\w-]{43}\n/)
  expect(allowed.code).toBe(0)

  const wrong = await recover('a@example.com', '--allow', 'c@example.com')
  expect(wrong.output).toMatch(/^c@example\.com is not an email that can take back the account\./)
  expect(wrong.code).toBe(1)
  const { database, close } = await openFresh(fresh)
  const [stored] = await database.select().from(recoveries).where(eq(recoveries.userId, userId))
  expect(stored).toMatchObject({ state: 'allowed', openedBy: ['a@example.com'] })
  await close()
})

test('rejects invalid arguments in one line', async () => {
  const usage = 'Usage: npm run recovery -- <email> [--open | --allow <email> | --reject]'
  const rejected: [string[], string][] = [
    [[], usage],
    [['a@example.com', '--open', '--reject'], usage],
    [['a@example.com', '--delete'], usage],
    [['a'], 'Enter an email in the format name@example.com.'],
  ]
  for (const [args, line] of rejected) {
    expect(await recover(...args)).toEqual({ code: 1, output: `${line}\n` })
  }
})
