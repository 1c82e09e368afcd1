import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { submitForm } from '#testing/server/call-action'
import { type Server, startServer } from '#testing/server/server'
import { startSmtpServer } from '../../support/smtp-server'

let fresh: FreshDatabase
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let servers: Server[]

beforeAll(async () => {
  fresh = await freshDatabase()
  smtp = await startSmtpServer()
  const settings = {
    ...fresh.settings,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'hello@example.com',
    TRUST_PROXY: '1',
    // A slow disk is no failure.
    DATABASE_TIMEOUT_MS: '30000',
  }
  servers = await Promise.all([startServer(settings), startServer(settings)])
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await smtp.close()
  await fresh.remove()
})

test('two instances send each message once', { timeout: 120_000 }, async () => {
  const emails = Array.from({ length: 12 }, (_, index) => `user${index}@example.com`)
  const responses = await Promise.all(
    emails.map((email, index) => {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` }
      return submitForm(`${servers[index % 2]?.url}/sign-up`, { email }, headers)
    }),
  )
  expect(responses.filter(({ status }) => status >= 400)).toEqual([])
  const recipients = () => smtp.received.flatMap((message) => message.recipients)
  await expect.poll(() => recipients().length, { timeout: 60_000 }).toBe(emails.length)
  // Both servers drain before they exit, so no message arrives after this.
  await Promise.all(servers.map((server) => server.stop()))
  expect(recipients().sort()).toEqual(emails.sort())
})
