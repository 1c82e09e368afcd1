'use client'

import { lazy, Suspense } from 'react'
import type { PasskeySignInProps } from './passkey-sign-in'

/** The manifest is part of the root layout: without this, every page would load the form. */
const PasskeySignIn = lazy(() => import('./passkey-sign-in'))

export function LazyPasskeySignIn(props: PasskeySignInProps) {
  return (
    <Suspense>
      <PasskeySignIn {...props} />
    </Suspense>
  )
}
