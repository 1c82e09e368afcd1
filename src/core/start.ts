import 'server-only'
import { startAuthority } from '@/core/auth/authority/authority'
import { createDemoAccounts, demoPassword, openDemoAccounts } from '@/core/auth/demo-accounts'
import { nobody } from '@/core/auth/password'
import { authSecrets } from '@/core/auth/secret'
import { sweepNowAndThen } from '@/core/auth/sweep'
import { closeConnection, connection, database, holdConnection } from '@/core/db/client'
import { migrate } from '@/core/db/migrate'
import { openDatabase } from '@/core/db/open'
import { env } from '@/core/env'
import { connectLimits } from '@/core/limits/limiter'
import { announce, log } from '@/core/log'
import { isLoopback } from '@/core/loopback'
import { tellOfMail } from '@/core/mail/tell-of-mail'
import { startMailWorker } from '@/core/mail/worker'
import { singleton } from '@/core/singleton'
import { StartRefused } from '@/core/start-refused'

type Installed = { id: string }

/** Everything that must be true before the first request. Once a process, whoever asks first. */
export function start(modules: readonly Installed[]): Promise<void> {
  return singleton('start', () => begin(modules))
}

async function begin(modules: readonly Installed[]): Promise<void> {
  const settings = env()
  holdConnection(await openDatabase(settings))
  try {
    const applied = await migrate(connection(), modules)
    for (const name of applied) log().info(`migrated ${name}`)
    authSecrets()
    if (settings.embedded) await createDemoAccounts(database())
    await tellOfDemoAccounts(settings.HOST)
    await Promise.all([nobody(), connectLimits()])
    await startAuthority(settings)
    sweepNowAndThen()
    tellOfMail(settings)
    startMailWorker()
  } catch (error) {
    await closeConnection()
    throw error
  }
}

async function tellOfDemoAccounts(host: string): Promise<void> {
  const open = await openDemoAccounts(database())
  if (open.length === 0) return
  if (!isLoopback(host)) {
    throw new StartRefused(
      `HOST is ${host}, but ${open.join(', ')} can be signed in to with the published password ${demoPassword}. Change or delete them first, or serve on 127.0.0.1.`,
    )
  }
  announce(`demo accounts: ${open.join(', ')} with the password ${demoPassword}`)
}
