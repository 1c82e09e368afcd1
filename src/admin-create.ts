import nextEnv from '@next/env'
import { createAdmin } from '@/core/auth/create-admin'
import { emailField } from '@/core/auth/fields'
import { closeConnection, connection, holdConnection } from '@/core/db/client'
import { migrate } from '@/core/db/migrate'
import { openDatabase } from '@/core/db/open'
import { env } from '@/core/env'
import { explainStart } from '@/core/host/explain'
import { flushLog, log } from '@/core/log'
import { deliver, isDeliveryFailed } from '@/core/mail/deliver'
import { StartRefused } from '@/core/start-refused'
import { modules } from '@/modules'

/** What `npm run admin:create` runs. It never asks for a password: shells and logs remember. */

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

try {
  const email = readAddress(process.argv.slice(2))
  holdConnection(await openDatabase(env()))
  await migrate(connection(), modules)
  const { created, link } = await createAdmin(email)
  say(created ? `${email} has an account now, as an admin.` : `${email} is an admin now.`)
  say(`Set the password here, once and within an hour:\n\n  ${link}\n`)
  if (env().SMTP_URL) say(await sendToo(email, link))
} catch (error) {
  const reason = explainStart(error)
  if (reason === undefined) log().fatal({ err: error }, 'the admin was not created')
  else process.stderr.write(`${reason}\n`)
  process.exitCode = 1
} finally {
  await closeConnection()
  flushLog()
}

function readAddress([typed, ...more]: string[]): string {
  if (typed === undefined || more.length > 0) {
    throw new StartRefused('Say whose: npm run admin:create -- you@example.com')
  }
  const { data, error } = emailField.safeParse(typed)
  if (data === undefined) throw new StartRefused(`${error.issues[0]?.message}`)
  return data
}

async function sendToo(email: string, link: string): Promise<string> {
  const { resetPassword } = await import('@/core/mail/messages/reset-password')
  try {
    await deliver(await resetPassword(email, link))
    return 'It was sent to that address, too.'
  } catch (error) {
    if (!isDeliveryFailed(error)) throw error
    const { fault, answer } = error.reason
    return `It could not be sent by mail (${answer ?? fault ?? 'no reason given'}).`
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
