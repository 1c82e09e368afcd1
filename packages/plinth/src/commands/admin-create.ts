import { emailField } from '#auth/accounts/fields'
import { createAdmin } from '#auth/accounts/users'
import { print, runCommand } from '#commands/command'
import { env, StartupError } from '#config/env'
import { connection, setConnection } from '#db/client'
import { migrateAtStart } from '#db/migrate/migrate'
import { openDatabase } from '#db/open'
import { accountMessages } from '#mail/account-messages'
import { deliver, isDeliveryError } from '#mail/deliver'
import { loadApp } from '#server/load-app'

/** `npm run admin:create`. It takes no password, because shells and logs would keep it. */
export function adminCreateCommand(args: string[]): Promise<void> {
  return runCommand('creating the admin failed', async () => {
    const email = readEmail(args)
    const modules = await loadApp()
    setConnection(await openDatabase(env()))
    await migrateAtStart(connection(), modules, env())
    const { created, link } = await createAdmin(email)
    print(created ? `Created the admin ${email}.` : `${email} is now an admin.`)
    print(`Set the password with this link. It works once and expires in one hour:\n\n  ${link}\n`)
    if (env().SMTP_URL) print(await sendLink(email, link))
  })
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
  try {
    await deliver(accountMessages.get().resetPassword(email, link))
    return 'The link was also sent by email.'
  } catch (error) {
    if (!isDeliveryError(error)) throw error
    const { error: code, status } = error.reason
    return `The link could not be sent by email (${status ?? code ?? 'unknown error'}).`
  }
}
