import { type ReactNode, Suspense } from 'react'

interface SoonProps<Data> {
  of: Promise<Data>
  fallback: ReactNode
  children: (data: Data) => ReactNode
}

/** In milliseconds. A skeleton that is seen for less would only flicker. */
const patience = 300

/**
 * Something that takes a while. What is there within a moment is part of the page, which then needs
 * no JavaScript to be seen; only what takes longer is sent after it, in place of the fallback.
 */
export async function Soon<Data>({ of, fallback, children }: SoonProps<Data>) {
  const early = await Promise.race([of.then((data) => ({ data })), pause(patience)])
  if (early) return children(early.data)
  return (
    <Suspense fallback={fallback}>
      <Later of={of}>{children}</Later>
    </Suspense>
  )
}

async function Later<Data>({ of, children }: Omit<SoonProps<Data>, 'fallback'>) {
  return children(await of)
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
