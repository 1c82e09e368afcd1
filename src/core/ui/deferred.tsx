import { type ReactNode, Suspense } from 'react'

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

/** A placeholder that prevents a layout shift when the content arrives. */
function Skeleton({ lines = 6, label }: { lines?: number; label: string }) {
  return (
    <div role="status" className="grid gap-4 rounded-lg border border-line bg-surface p-5">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and static
          key={index}
          aria-hidden="true"
          className="block h-4 animate-pulse rounded-sm bg-sunken even:w-3/4"
        />
      ))}
    </div>
  )
}
