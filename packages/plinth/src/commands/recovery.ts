import { parseArgs } from 'node:util'
import { emailField } from '#auth/accounts/fields'
import { print, runCommand } from '#commands/command'
import { env, StartupError } from '#config/env'
import { connection, database, setConnection } from '#db/client'
import { migrateAtStart } from '#db/migrate/migrate'
import { openDatabase } from '#db/open'
import { findAccountByEmail } from '#recovery/review'
import { loadApp } from '#server/load-app'
import { decideByCommand, describeReview } from '#server/recovery-command'

const usage = 'Usage: npm run recovery -- <email> [--open | --allow <email> | --reject]'

/** `npm run recovery`: for an admin who cannot sign in, and for apps without mail. */
export function recoveryCommand(args: string[]): Promise<void> {
  return runCommand('the recovery failed', async () => {
    const { email, decision } = readArguments(args)
    const modules = await loadApp()
    setConnection(await openDatabase(env()))
    await migrateAtStart(connection(), modules, env())
    const userId = await findAccountByEmail(database(), email)
    if (userId === undefined) {
      throw new StartupError(
        `${email} is neither the email of an account nor one that it has left.`,
      )
    }
    const result = decision && (await decideByCommand(userId, decision))
    if (result && 'error' in result) throw new StartupError(result.error)
    if (result) print(result.text)
    print(await describeReview(userId))
  })
}

function readArguments(args: string[]) {
  const { positionals, values } = parse(args)
  const chosen = [values.open, values.allow, values.reject].filter((value) => value !== undefined)
  if (positionals.length !== 1 || chosen.length > 1) throw new StartupError(usage)
  const email = readEmail(positionals[0])
  if (values.allow !== undefined) return { email, decision: { allow: readEmail(values.allow) } }
  if (values.open) return { email, decision: 'open' as const }
  return { email, decision: values.reject ? ('reject' as const) : undefined }
}

function parse(args: string[]) {
  const flag = { type: 'boolean' } as const
  const options = { open: flag, reject: flag, allow: { type: 'string' } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new StartupError(usage)
  }
}

function readEmail(typed: string | undefined): string {
  const { data, error } = emailField.safeParse(typed)
  if (data === undefined) throw new StartupError(`${error.issues[0]?.message}`)
  return data
}
