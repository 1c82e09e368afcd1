import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { auditEvents, users } from '@/core/db/schema'
import { freshDatabase, onPostgres, openPlace, type Place } from '../support/database'
import { submitForm } from '../support/form'
import { run } from '../support/program'
import { startServer } from '../support/server'
import { startSmtpServer } from '../support/smtp-server'

// Each test starts the program, and some of them the server, which takes a while.
vi.setConfig({ testTimeout: 120_000 })

let place: Place

beforeEach(async () => {
  place = await freshDatabase()
})

afterEach(() => place.remove())

async function create(words: string[], settings: Record<string, string> = {}) {
  const program = run(process.execPath, ['dist/admin-create.js', ...words], {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    ...place.settings,
    ...settings,
  })
  return { code: await program.ended, output: program.output() }
}

async function look<Result>(
  at: (connection: Awaited<ReturnType<typeof openPlace>>) => Promise<Result>,
): Promise<Result> {
  const connection = await openPlace(place)
  try {
    return await at(connection)
  } finally {
    await connection.close()
  }
}

test('makes an admin whose password is set by the link that it prints', async () => {
  const { code, output } = await create(['First@Example.com'])
  expect(output).toContain('first@example.com has an account now, as an admin.')
  expect(code).toBe(0)
  const link = /http:\S+\/reset\?token=[\w-]{43}/.exec(output)?.[0] ?? ''
  const [admin] = await look(({ database }) => database.select().from(users))
  expect(admin).toMatchObject({ email: 'first@example.com', name: 'first', role: 'admin' })
  const [event] = await look(({ database }) => database.select().from(auditEvents))
  expect(event).toMatchObject({
    action: 'create_admin',
    outcome: 'success',
    targetId: admin?.id,
    address: 'command line',
    details: { created: true },
  })

  const server = await startServer(place.settings)
  const { pathname, search } = new URL(link)
  const password = 'a few words in a row'
  const done = await submitForm(`${server.url}${pathname}${search}`, { password })
  expect(done.status).toBe(303)
  const signIn = await fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify({ email: 'first@example.com', password, redirect: false }),
    headers: { 'content-type': 'application/json' },
  })
  expect((await signIn.json()).session.user.role).toBe('admin')
  await server.stop()
})

test('raises an account that is there, and changes nothing else of it', async () => {
  await look(({ database }) =>
    database.insert(users).values({ email: 'editor@example.com', name: 'Edda', role: 'editor' }),
  )
  const { output } = await create(['editor@example.com'])
  expect(output).toContain('editor@example.com is an admin now.')
  const [admin] = await look(({ database }) =>
    database.select().from(users).where(eq(users.email, 'editor@example.com')),
  )
  expect(admin).toMatchObject({ name: 'Edda', role: 'admin' })
})

test('sends the link by mail where there is a mail server, and says so where it failed', async () => {
  const smtp = await startSmtpServer()
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'hello@example.com' }
  const sent = await create(['first@example.com'], mail)
  expect(sent.output).toContain('It was sent to that address, too.')
  const link = /http:\S+\/reset\?token=[\w-]{43}/.exec(sent.output)?.[0] ?? 'no link'
  expect(smtp.taken[0]?.text).toContain(link)
  await smtp.close()
  const failed = await create(['first@example.com'], mail)
  expect(failed.output).toMatch(/It could not be sent by mail \(E\w+\)\./)
  expect(failed.code).toBe(0)
})

test('what is no address is refused in one line, and nothing changes', async () => {
  const whose = 'Say whose: npm run admin:create -- you@example.com'
  const refused: [string[], string][] = [
    [[], whose],
    [['you'], 'Enter an e-mail address, such as name@example.com.'],
    [['you@example.com', 'secret-password'], whose],
  ]
  for (const [words, line] of refused) {
    const { code, output } = await create(words)
    expect(output).toBe(`${line}\n`)
    expect(code).toBe(1)
  }
  expect(await look(({ database }) => database.$count(users))).toBe(0)
})

test('a database that cannot be used is told in one line', async () => {
  if (onPostgres) {
    const gone = { DATABASE_URL: `${place.settings.DATABASE_URL}_gone` }
    const { code, output } = await create(['you@example.com'], gone)
    expect(output).toMatch(/^DATABASE_URL: the database cannot be used \(.*does not exist\)\.\n$/)
    expect(code).toBe(1)
  } else {
    const server = await startServer(place.settings)
    const { code, output } = await create(['you@example.com'])
    expect(output).toBe(
      `The embedded database is in use by process ${server.pid}. Stop it, or give this one a DATA_DIR of its own.\n`,
    )
    expect(code).toBe(1)
    await server.stop()
  }
})
