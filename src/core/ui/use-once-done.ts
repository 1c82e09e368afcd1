'use client'

import { useEffect, useRef } from 'react'

/** Calls `whenDone` each time that an action has finished. */
export function useOnceDone(pending: boolean, whenDone: () => void): void {
  const wasPending = useRef(false)
  const latest = useRef(whenDone)
  latest.current = whenDone
  useEffect(() => {
    if (wasPending.current && !pending) latest.current()
    wasPending.current = pending
  }, [pending])
}
