'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useRef, useTransition } from 'react'

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
    // The browser's back/forward cache shows a page as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && router.refresh()
    addEventListener('pageshow', onShow)
    document.addEventListener('click', onClick)
    document.addEventListener('submit', onSubmit)
    const stopPrefetching = prefetchOnHover(router)
    return () => {
      removeEventListener('pageshow', onShow)
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

/** The page that a click opens in this tab. Undefined if the browser should handle it. */
function openedUrl(event: MouseEvent): URL | undefined {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event
  if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
  const link = linkAt(event)
  return link && pageUrl(link)
}

function linkAt({ target }: Event): HTMLAnchorElement | undefined {
  return (target as Element | null)?.closest?.<HTMLAnchorElement>('a[href]') ?? undefined
}

function pageUrl(link: HTMLAnchorElement): URL | undefined {
  if (link.hasAttribute('download') || !isThisTab(link.target)) return
  const url = new URL(link.href)
  // The browser scrolls to it.
  const isWithinPage = url.hash && url.pathname + url.search === location.pathname + location.search
  return isPage(url) && !isWithinPage ? url : undefined
}

/** The page that a GET form requests. Empty fields are left out of the URL. */
function submittedUrl(event: SubmitEvent): URL | undefined {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented || form.method !== 'get' || !isThisTab(form.target)) return
  // A field may have the name of a property.
  const url = new URL(form.getAttribute('action') ?? '', location.href)
  const fields = [...new FormData(form, event.submitter)].filter(([, value]) => value !== '')
  url.search = new URLSearchParams(fields as [string, string][]).toString()
  url.hash = ''
  return isPage(url) ? url : undefined
}

function isThisTab(target: string): boolean {
  return target === '' || target === '_self'
}

function isPage({ origin, pathname }: URL): boolean {
  return origin === location.origin && !pathname.startsWith('/api/')
}

type Router = ReturnType<typeof useRouter>
type Options = NonNullable<Parameters<Router['prefetch']>[1]>

/** A pointer that only passes over a link does not stay this long. */
const dwellMs = 65

/** The whole page, so that a click shows it at once. The router uses it for 30 seconds. */
const whole = { kind: 'full' } as Options

/** Returns a function that stops it. */
function prefetchOnHover(router: Router): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onPoint = (event: Event) => {
    clearTimeout(timer)
    const link = linkAt(event)
    const url = link && pageUrl(link)
    if (!url || isUnwanted()) return
    timer = setTimeout(() => router.prefetch(url.href, whole), dwellMs)
  }
  document.addEventListener('mouseover', onPoint)
  document.addEventListener('touchstart', onPoint, { passive: true })
  return () => {
    clearTimeout(timer)
    document.removeEventListener('mouseover', onPoint)
    document.removeEventListener('touchstart', onPoint)
  }
}

function isUnwanted(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  // The request would take the message that the next page shows.
  return connection?.saveData === true || document.cookie.includes('plinth.flash=')
}
