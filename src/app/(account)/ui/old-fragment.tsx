'use client'

import { useEffect } from 'react'

/** The sessions had no page of their own, and links to them stay in mail and bookmarks. */
export function OldFragment() {
  useEffect(() => {
    if (location.hash === '#sessions') location.replace('/account/sessions')
  }, [])
  return null
}
