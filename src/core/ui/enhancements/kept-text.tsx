'use client'

import { usePathname } from 'next/navigation'
import { lazy, Suspense, useEffect, useState } from 'react'
import { typedTextKey } from '../typed-text-key'
import { watchForOutdatedPage } from './outdated-page'

/** Rarely needed. */
const RestoredText = lazy(() => import('./restored-text'))

/** Shows the text of a form again after the user had to leave the page before it was sent. */
export function KeptText() {
  const path = usePathname()
  const [restoredAt, setRestoredAt] = useState<string>()
  useEffect(watchForOutdatedPage, [])
  useEffect(() => {
    setRestoredAt(sessionStorage.getItem(typedTextKey) === null ? undefined : path)
  }, [path])
  return (
    <Suspense>
      {restoredAt !== undefined && restoredAt === path && <RestoredText key={path} />}
    </Suspense>
  )
}
