'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'
import { openedUrl, submittedUrl } from './navigation-target'
import { prefetchOnHover } from './prefetch-on-hover'

/**
 * Turns clicks on links, and GET forms, into client transitions. Links stay plain elements: without
 * JavaScript they load the page.
 */
export function ClientNavigation() {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  useFocusAfterNavigation()

  useEffect(() => {
    const open = (event: Event, url: URL | undefined) => {
      if (!url) return
      event.preventDefault()
      if (mayLeave()) startTransition(() => router.push(url.href))
    }
    const onClick = (event: MouseEvent) => open(event, openedUrl(event))
    const onSubmit = (event: SubmitEvent) => open(event, submittedUrl(event))
    document.addEventListener('click', onClick)
    document.addEventListener('submit', onSubmit)
    const stopPrefetching = prefetchOnHover(router)
    return () => {
      document.removeEventListener('click', onClick)
      document.removeEventListener('submit', onSubmit)
      stopPrefetching()
    }
  }, [router])

  return pending && <div className="progress" role="progressbar" aria-label="Loading the page" />
}

/** A page with unsaved text cancels the event and asks first. */
function mayLeave(): boolean {
  return document.dispatchEvent(new CustomEvent('plinth:navigate', { cancelable: true }))
}

/** The link that was clicked is gone: keyboard users continue at the new content. */
function useFocusAfterNavigation(): void {
  const path = usePathname()
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    const main = document.getElementById('main')
    if (location.hash || main?.contains(document.activeElement)) return
    main?.focus({ preventScroll: true })
  }, [path])
}
