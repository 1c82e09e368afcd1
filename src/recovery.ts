import { parseArgs } from 'node:util'
import nextEnv from '@next/env'
import { emailField } from 'plinth/auth/accounts/fields'
import { installRevocationListeners } from 'plinth/auth/sessions/revocation'
import { env, StartupError } from 'plinth/config/env'
import { closeConnection, connection, database, setConnection } from 'plinth/db/client'
import { migrateAtStart } from 'plinth/db/migrate/migrate'
import { openDatabase } from 'plinth/db/open'
import { flushLog, log } from 'plinth/log/log'
import { findAccountByEmail } from 'plinth/recovery/review'
import { explainStartupError } from 'plinth/server/console'
import { decideByCommand, describeReview } from 'plinth/server/recovery-command'
import { app } from '@/register'

/** `npm run recovery`: for an admin who cannot sign in, and for apps without mail. */

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

const usage = 'Usage: npm run recovery -- <email> [--open | --allow <email> | --reject]'

try {
  const { email, decision } = readArguments(process.argv.slice(2))
  setConnection(await openDatabase(env()))
  await migrateAtStart(connection(), app.modules, env())
  installRevocationListeners(app.modules)
  const userId = await findAccountByEmail(database(), email)
  if (userId === undefined) {
    throw new StartupError(`${email} is neither the email of an account nor one that it has left.`)
  }
  const result = decision && (await decideByCommand(userId, decision))
  if (result && 'error' in result) throw new StartupError(result.error)
  if (result) print(result.text)
  print(await describeReview(userId))
} catch (error) {
  const message = explainStartupError(error)
  if (message === undefined) log().fatal({ err: error }, 'the recovery failed')
  else process.stderr.write(`${message}\n`)
  process.exitCode = 1
} finally {
  await closeConnection()
  flushLog()
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

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
