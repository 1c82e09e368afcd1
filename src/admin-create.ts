import nextEnv from '@next/env'
import { emailField } from 'plinth/auth/accounts/fields'
import { createAdmin } from 'plinth/auth/accounts/users'
import { env, StartupError } from 'plinth/config/env'
import { closeConnection, connection, setConnection } from 'plinth/db/client'
import { migrateAtStart } from 'plinth/db/migrate/migrate'
import { openDatabase } from 'plinth/db/open'
import { flushLog, log } from 'plinth/log/log'
import { deliver, isDeliveryError } from 'plinth/mail/deliver'
import { explainStartupError } from 'plinth/server/console'
import { app } from '@/register'

/** `npm run admin:create`. It takes no password, because shells and logs would keep it. */

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

try {
  const email = readEmail(process.argv.slice(2))
  setConnection(await openDatabase(env()))
  await migrateAtStart(connection(), app.modules, env())
  const { created, link } = await createAdmin(email)
  print(created ? `Created the admin ${email}.` : `${email} is now an admin.`)
  print(`Set the password with this link. It works once and expires in one hour:\n\n  ${link}\n`)
  if (env().SMTP_URL) print(await sendLink(email, link))
} catch (error) {
  const message = explainStartupError(error)
  if (message === undefined) log().fatal({ err: error }, 'creating the admin failed')
  else process.stderr.write(`${message}\n`)
  process.exitCode = 1
} finally {
  await closeConnection()
  flushLog()
}

function readEmail([typed, ...rest]: string[]): string {
  if (typed === undefined || rest.length > 0) {
    throw new StartupError('Usage: npm run admin:create -- you@example.com')
  }
  const { data, error } = emailField.safeParse(typed)
  if (data === undefined) throw new StartupError(`${error.issues[0]?.message}`)
  return data
}

async function sendLink(email: string, link: string): Promise<string> {
  const { resetPassword } = await import('@/mail/account-messages')
  try {
    await deliver(await resetPassword(email, link))
    return 'The link was also sent by email.'
  } catch (error) {
    if (!isDeliveryError(error)) throw error
    const { error: code, status } = error.reason
    return `The link could not be sent by email (${status ?? code ?? 'unknown error'}).`
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
