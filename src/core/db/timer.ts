import 'server-only'

/**
 * Calls back after the time, and after what has arrived by then was handled: a process that was
 * stopped or busy must not take its own delay for that of the database. Returns how to cancel.
 */
export function startTimer(ms: number, expire: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    immediate = setImmediate(expire)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
