import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '#db/client'

const hook: { run?: () => Promise<void> } = {}

/** Runs after each transaction, before its result is returned. */
export function afterCommit(run: (() => Promise<void>) | undefined): void {
  if (run) hook.run = run
  else delete hook.run
}

/** For a statement that is a transaction of its own. */
export async function runAfterCommit(): Promise<void> {
  await hook.run?.()
}

type Transaction = { ended: boolean; callbacks: Set<() => void> }

const openTransaction = new AsyncLocalStorage<Transaction>()

/** Runs once when the current transaction has committed; without one, immediately. */
export function onCommit(callback: () => void): void {
  const transaction = openTransaction.getStore()
  if (transaction && !transaction.ended) transaction.callbacks.add(callback)
  else callback()
}

export function withAfterCommit(database: Database): Database {
  const transaction: Database['transaction'] = async (...args) => {
    const opened: Transaction = { ended: false, callbacks: new Set() }
    const work = openTransaction.run(opened, () => database.transaction(...args))
    const result = await work.finally(() => {
      opened.ended = true
    })
    for (const callback of opened.callbacks) callback()
    await runAfterCommit()
    return result
  }
  return new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
}
