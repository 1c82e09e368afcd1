import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database'
import { submitForm } from '../support/form'
import { startServer } from '../support/server'
import { startSmtpServer } from '../support/smtp-server'

test('two instances send each message once', async () => {
  const place = await freshDatabase()
  const smtp = await startSmtpServer()
  const settings = {
    ...place.settings,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'hello@example.com',
    TRUST_PROXY: '1',
  }
  const servers = await Promise.all([startServer(settings), startServer(settings)])
  const people = Array.from({ length: 12 }, (_, index) => `both${index}@example.com`)
  await Promise.all(
    people.map((email, index) => {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` }
      return submitForm(`${servers[index % 2]?.url}/sign-up`, { email }, headers)
    }),
  )
  const recipients = () => smtp.taken.flatMap((message) => message.recipients)
  await expect.poll(() => recipients().length, { timeout: 15_000 }).toBe(people.length)
  // Both finish what they do before they end, so nothing comes after this.
  await Promise.all(servers.map((server) => server.stop()))
  expect(recipients().sort()).toEqual(people.sort())
  await smtp.close()
  await place.remove()
})
