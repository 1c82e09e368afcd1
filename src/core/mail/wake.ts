import 'server-only'
import { EventEmitter, once } from 'node:events'
import { singleton } from '@/core/singleton'

/** Heard by the worker, whichever of the two bundles of this process rings. */
const bell = singleton('mail.bell', () => new EventEmitter())

/** There is mail to send; without it the worker would find that out a little later by itself. */
export function sendSoon(): void {
  bell.emit('ring')
}

/** Resolves at the next ring, or when nobody has rung for so many milliseconds. */
export async function nextRing(patience: number): Promise<void> {
  await once(bell, 'ring', { signal: AbortSignal.timeout(patience) }).catch(() => {})
}
