import { type ReactNode, Suspense } from 'react'
import type { Soon } from '@/core/guard/soon'
import { Skeleton } from './skeleton'

interface PanelProps<Value> {
  /** What it shows, from `soon()` in what the page loads. */
  value: Soon<Value>
  /** What is said while that takes its time. */
  label: string
  children: (value: Value) => ReactNode
}

/**
 * A part of a page that is usually quick and may be slow. What was not there in time is streamed
 * behind a skeleton and put into its place by a script, so without JavaScript it would never be seen.
 */
export function Panel<Value>({ value, label, children }: PanelProps<Value>): ReactNode {
  if (value.known) return children(value.known.value)
  return (
    <Suspense fallback={<Waiting label={label} />}>
      <Late value={value.value}>{children}</Late>
    </Suspense>
  )
}

interface LateProps<Value> {
  value: Promise<Value>
  children: (value: Value) => ReactNode
}

async function Late<Value>({ value, children }: LateProps<Value>) {
  return children(await value)
}

function Waiting({ label }: { label: string }) {
  return (
    <>
      <Skeleton label={label} />
      <noscript>
        <p className="mt-3 text-sm text-muted">
          This takes longer than it should. Load the page again to see it.
        </p>
      </noscript>
    </>
  )
}
