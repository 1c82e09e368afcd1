import 'server-only'
import type { DeferredValue } from '@/core/ui/deferred'

type Parts<Values> = { [Name in keyof Values]: Promise<Values[Name]> }

/**
 * Waits briefly for slow parts of a page, so that it usually arrives complete. A part that takes
 * longer is streamed by `<Deferred>`. A part that fails within the time fails the page.
 */
export async function defer<Values extends Record<string, unknown>>(
  parts: Parts<Values>,
  timeoutMs = 250,
): Promise<{ [Name in keyof Values]: DeferredValue<Values[Name]> }> {
  const deferred = Object.entries(parts).map(([name, value]) => [name, track(value)] as const)
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  try {
    await Promise.race([Promise.all(Object.values(parts)), timeout])
  } finally {
    clearTimeout(timer)
  }
  return Object.fromEntries(deferred) as { [Name in keyof Values]: DeferredValue<Values[Name]> }
}

function track<Value>(promise: Promise<Value>): DeferredValue<Value> {
  const deferred: DeferredValue<Value> = { promise }
  promise.then(
    (value) => {
      deferred.resolved = { value }
    },
    // <Deferred> reports the error; this only avoids an unhandled rejection.
    () => {},
  )
  return deferred
}
