import { type ReactNode, Suspense } from 'react'
import { Skeleton } from './skeleton'

export type DeferredValue<Value> = { promise: Promise<Value>; resolved?: { value: Value } }

interface DeferredProps<Value> {
  /** From `defer()` in the page's `load`. */
  value: DeferredValue<Value>
  /** For screen readers while it loads. */
  label: string
  children: (value: Value) => ReactNode
}

/** A part of a page that may be slow. If it is late, it is streamed behind a skeleton. */
export function Deferred<Value>({ value, label, children }: DeferredProps<Value>): ReactNode {
  if (value.resolved) return children(value.resolved.value)
  return (
    <Suspense fallback={<Loading label={label} />}>
      <Streamed promise={value.promise}>{children}</Streamed>
    </Suspense>
  )
}

interface StreamedProps<Value> {
  promise: Promise<Value>
  children: (value: Value) => ReactNode
}

async function Streamed<Value>({ promise, children }: StreamedProps<Value>) {
  return children(await promise)
}

/** Streamed parts are inserted by a script, so without JavaScript they never appear. */
function Loading({ label }: { label: string }) {
  return (
    <>
      <Skeleton label={label} />
      <noscript>
        <p className="mt-3 text-sm text-muted">
          This is taking longer than usual. Reload the page to see it.
        </p>
      </noscript>
    </>
  )
}
