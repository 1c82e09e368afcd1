import type { Flash, FormAction } from 'plinth/universal/action-result'

export type Toast = Flash & { undoAction?: FormAction | undefined }

type Listener = () => void

const none: readonly Toast[] = []

let toasts = none
const listeners = new Set<Listener>()
/** Going back shows the page again, but not its message. */
const shown = new Set<string>()

export function showToast(toast: Toast): void {
  if (shown.has(toast.id)) return
  shown.add(toast.id)
  // The newest only: it is about what the user just did.
  change([toast])
}

export function dismissToast(id: string): void {
  change(toasts.filter((toast) => toast.id !== id))
}

export function subscribe(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** As the server rendered them: one may be shown before the region is hydrated. */
export function noToasts(): readonly Toast[] {
  return none
}

export function currentToasts(): readonly Toast[] {
  return toasts
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
