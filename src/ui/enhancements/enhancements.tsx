'use client'

import { lazy, Suspense } from 'react'

/** Loaded after the page: it works without them. */
const LoadedEnhancements = lazy(() => import('./loaded-enhancements'))

/** Client transitions, toasts and the command palette. Part of the root layout. */
export function Enhancements() {
  return (
    <Suspense>
      <LoadedEnhancements />
    </Suspense>
  )
}
