import 'server-only'
import { EventEmitter, once } from 'node:events'
import { singleton } from '@/core/config/singleton'

/** Shared, because the worker runs in one bundle and mail is queued in both. */
const emitter = singleton('mail.wake', () => new EventEmitter())

/** Without it the worker finds new mail at its next poll. */
export function wakeMailWorker(): void {
  emitter.emit('wake')
}

/** Resolves at the next wake-up, or after the timeout. */
export async function nextWake(timeoutMs: number): Promise<void> {
  await once(emitter, 'wake', { signal: AbortSignal.timeout(timeoutMs) }).catch(() => {})
}
