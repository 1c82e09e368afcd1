import 'server-only'
import type { Database } from '@/core/db/client'
import { singleton } from '@/core/singleton'

const after = singleton('after-commit', (): { run?: () => Promise<void> } => ({}))

/** What is waited for after each transaction, before whoever asked for it goes on. */
export function afterCommit(run: (() => Promise<void>) | undefined): void {
  if (run) after.run = run
  else delete after.run
}

/** The database with transactions that wait for it. */
export function followCommits(database: Database): Database {
  const transaction: Database['transaction'] = async (...given) => {
    const result = await database.transaction(...given)
    await after.run?.()
    return result
  }
  return new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
}
