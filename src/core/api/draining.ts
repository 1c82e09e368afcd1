import { singleton } from '@/core/config/singleton'

const state = singleton('draining', () => ({ draining: false }))

/** Whether this process is about to stop: load balancers should send requests elsewhere. */
export function isDraining(): boolean {
  return state.draining
}

export function startDraining(): void {
  state.draining = true
}
