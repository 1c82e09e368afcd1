'use client'

import { type ComponentProps, lazy, Suspense } from 'react'

const Loaded = lazy(() => import('./passkey-sign-in'))

/** The manifest refers to it, so its script is part of every page: all else is loaded where it is shown. */
export default function PasskeySignIn(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
