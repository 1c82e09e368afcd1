import 'server-only'
import { singleton } from '@/core/config/singleton'
import type { Database } from '@/core/db/client'

const hook = singleton('after-commit', (): { run?: () => Promise<void> } => ({}))

/** Runs after each transaction, before its result is returned. */
export function afterCommit(run: (() => Promise<void>) | undefined): void {
  if (run) hook.run = run
  else delete hook.run
}

export function withAfterCommit(database: Database): Database {
  const transaction: Database['transaction'] = async (...args) => {
    const result = await database.transaction(...args)
    await hook.run?.()
    return result
  }
  return new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
}
