import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditEvents, users } from '#db/schema'
import {
  type FreshDatabase,
  freshDatabase,
  onPostgres,
  openFresh,
} from '#testing/database/database'
import { run } from '#testing/program'
import { submitForm } from '#testing/server/call-action'
import { engineCommand } from '#testing/server/engine-command'
import { startServer } from '#testing/server/server'
import { startSmtpServer } from '../../support/smtp-server'

// Each test starts the program, and some start the server.
let fresh: FreshDatabase

beforeEach(async () => {
  fresh = await freshDatabase()
})

afterEach(() => fresh.remove())

async function create(args: string[], settings: Record<string, string> = {}) {
  const program = run(...engineCommand('admin-create', ...args), {
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    ...fresh.settings,
    ...settings,
  })
  return { code: await program.exited, output: program.output() }
}

async function withDatabase<Result>(
  work: (connection: Awaited<ReturnType<typeof openFresh>>) => Promise<Result>,
): Promise<Result> {
  const connection = await openFresh(fresh)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

test('creates an admin and prints a link to set the password', async () => {
  const { code, output } = await create(['First@Example.com'])
  expect(output).toContain('Created the admin first@example.com.')
  expect(code).toBe(0)
  const link = /http:\S+\/reset\?token=[\w-]{43}/.exec(output)?.[0] ?? ''
  const [admin] = await withDatabase(({ database }) => database.select().from(users))
  expect(admin).toMatchObject({ email: 'first@example.com', name: 'first', role: 'admin' })
  const [event] = await withDatabase(({ database }) => database.select().from(auditEvents))
  expect(event).toMatchObject({
    action: 'create_admin',
    outcome: 'success',
    targetId: admin?.id,
    ip: 'command line',
    details: { created: true },
  })

  const server = await startServer(fresh.settings)
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

test('promotes an existing account and changes nothing else', async () => {
  await withDatabase(({ database }) =>
    database.insert(users).values({ email: 'editor@example.com', name: 'Editor', role: 'editor' }),
  )
  const { output } = await create(['editor@example.com'])
  expect(output).toContain('editor@example.com is now an admin.')
  const [admin] = await withDatabase(({ database }) =>
    database.select().from(users).where(eq(users.email, 'editor@example.com')),
  )
  expect(admin).toMatchObject({ name: 'Editor', role: 'admin' })
})

test('sends the link by email if SMTP_URL is set, and reports a failure', async () => {
  const smtp = await startSmtpServer()
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'hello@example.com' }
  const sent = await create(['first@example.com'], mail)
  expect(sent.output).toContain('The link was also sent by email.')
  const link = /http:\S+\/reset\?token=[\w-]{43}/.exec(sent.output)?.[0] ?? 'no link'
  expect(smtp.received[0]?.text).toContain(link)
  await smtp.close()
  const failed = await create(['first@example.com'], mail)
  expect(failed.output).toMatch(/The link could not be sent by email \(E\w+\)\./)
  expect(failed.code).toBe(0)
})

test('rejects invalid arguments in one line and changes nothing', async () => {
  const usage = 'Usage: npm run admin:create -- you@example.com'
  const rejected: [string[], string][] = [
    [[], usage],
    [['you'], 'Enter an email in the format name@example.com.'],
    [['you@example.com', 'secret-password'], usage],
  ]
  for (const [args, line] of rejected) {
    const { code, output } = await create(args)
    expect(output).toBe(`${line}\n`)
    expect(code).toBe(1)
  }
  expect(await withDatabase(({ database }) => database.$count(users))).toBe(0)
})

test('reports an unavailable database in one line', async () => {
  if (onPostgres) {
    const missing = { DATABASE_URL: `${fresh.settings.DATABASE_URL}_missing` }
    const { code, output } = await create(['you@example.com'], missing)
    expect(output).toMatch(/^DATABASE_URL: the database does not exist \([^\n]+\)\. [^\n]+\n$/)
    expect(code).toBe(1)
  } else {
    const server = await startServer(fresh.settings)
    const { code, output } = await create(['you@example.com'])
    expect(output).toBe(
      `The embedded database is in use by process ${server.pid}. Stop it, or set DATA_DIR to another folder.\n`,
    )
    expect(code).toBe(1)
    await server.stop()
  }
})
