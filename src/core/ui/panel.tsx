import { type ReactNode, Suspense } from 'react'
import { Skeleton } from './skeleton'

interface PanelProps<Value> {
  /** What it shows, already being fetched. */
  value: Promise<Value>
  /** What is said while that takes its time. */
  label: string
  children: (value: Value) => ReactNode
  /** In milliseconds. */
  patience?: number
}

/**
 * A part of a page that is usually quick and may be slow. The page waits for it a moment, and comes
 * whole; only when it takes longer is it streamed behind a skeleton. What is streamed is put into
 * its place by a script, so without JavaScript it would never be seen.
 */
export async function Panel<Value>({
  value,
  label,
  children,
  patience = 250,
}: PanelProps<Value>): Promise<ReactNode> {
  const quick = await within(patience, value)
  if (quick) return children(quick.known)
  return (
    <Suspense fallback={<Waiting label={label} />}>
      <Late value={value}>{children}</Late>
    </Suspense>
  )
}

async function Late<Value>({ value, children }: Pick<PanelProps<Value>, 'value' | 'children'>) {
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

async function within<Value>(
  milliseconds: number,
  value: Promise<Value>,
): Promise<{ known: Value } | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  try {
    return await Promise.race([value.then((known) => ({ known })), late])
  } finally {
    clearTimeout(timer)
  }
}
