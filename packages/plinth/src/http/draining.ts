/** Whether this process is about to stop: load balancers should send requests elsewhere. */
const state = { draining: false }

export function isDraining(): boolean {
  return state.draining
}

export function startDraining(): void {
  state.draining = true
}

/** For tests, which share a process. */
export function endDraining(): void {
  state.draining = false
}
