import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { submitForm } from '../support/form'
import { type Server, startServer } from '../support/server'
import { startSmtpServer } from '../support/smtp-server'

let place: Place
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let servers: Server[]

beforeAll(async () => {
  place = await freshDatabase()
  smtp = await startSmtpServer()
  const settings = {
    ...place.settings,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'hello@example.com',
    TRUST_PROXY: '1',
  }
  servers = await Promise.all([startServer(settings), startServer(settings)])
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await smtp.close()
  await place.remove()
})

test('two instances send each message once', { timeout: 120_000 }, async () => {
  const people = Array.from({ length: 12 }, (_, index) => `both${index}@example.com`)
  await Promise.all(
    people.map((email, index) => {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` }
      return submitForm(`${servers[index % 2]?.url}/sign-up`, { email }, headers)
    }),
  )
  const recipients = () => smtp.taken.flatMap((message) => message.recipients)
  await expect.poll(() => recipients().length, { timeout: 60_000 }).toBe(people.length)
  // Both finish what they do before they end, so nothing comes after this.
  await Promise.all(servers.map((server) => server.stop()))
  expect(recipients().sort()).toEqual(people.sort())
})
