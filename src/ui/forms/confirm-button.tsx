'use client'

import { lazy, Suspense } from 'react'
import type { ConfirmActionProps } from './confirm-action'

/** Loaded after the page: until then the button opens a native popover. */
const ConfirmAction = lazy(() => import('./confirm-action'))

/** A button that runs a server action after a confirmation. */
export function ConfirmButton(props: ConfirmActionProps) {
  return (
    <Suspense>
      <ConfirmAction {...props} />
    </Suspense>
  )
}
