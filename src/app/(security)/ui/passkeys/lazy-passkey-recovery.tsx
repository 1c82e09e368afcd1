'use client'

import { type ComponentProps, lazy, Suspense } from 'react'

const Loaded = lazy(async () => {
  const { PasskeyRecovery } = await import('./passkey-button')
  return { default: PasskeyRecovery }
})

/** Most users of the page enter a code, and need none of it. */
export function LazyPasskeyRecovery(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
