'use client'

import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentToasts, noToasts, subscribe } from './toasts'

const ToastCard = lazy(() => import('./toast-card'))

/** Part of every page from the start: screen readers announce what is added to it. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribe, currentToasts, noToasts)
  return (
    <div role="status" className="toasts">
      <Suspense>
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </Suspense>
    </div>
  )
}
