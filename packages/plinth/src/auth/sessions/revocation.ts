import type { Database } from '#db/client'

/** Runs in the transaction that revokes all sessions of a user, or all but the current one. */
export type RevocationListener = (transaction: Database, userId: string) => Promise<void>

const installed: { listeners: readonly RevocationListener[] } = { listeners: [] }

/** Before the first request: without it a browser that was remembered would stay so. */
export function installRevocationListeners(
  modules: readonly { onRevoke?: RevocationListener }[],
): void {
  installed.listeners = modules.flatMap(({ onRevoke }) => onRevoke ?? [])
}

/** For code that deletes sessions itself; `revokeUserSessions` calls it. */
export async function announceRevocation(transaction: Database, userId: string): Promise<void> {
  for (const listener of installed.listeners) await listener(transaction, userId)
}
