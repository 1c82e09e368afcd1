'use client'

import { usePathname } from 'next/navigation'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { ClientNavigation } from './client-navigation'
import { currentToasts, noToasts, subscribe } from './toasts'
import { keepText, readTyped, type Typed, typedTextKey } from './typed-text'

export default function LoadedEnhancements() {
  return (
    <>
      <ClientNavigation />
      <KeptText />
      <PaletteOpener />
      <ToastRegion />
    </>
  )
}

/** Rarely needed. */
const RestoredText = lazy(() => import('./restored-text'))

/** Shows the text of a form again after the user had to leave the page before it was sent. */
function KeptText() {
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

let isWatched = false

/**
 * The error pages send the name of their error. This one is thrown when an action does not exist any
 * more: the app was updated since the page was loaded. The form is not in the page then, so it is
 * read when it is sent. It is not stored unless it is needed.
 */
function watchForOutdatedPage(): void {
  if (isWatched) return
  isWatched = true
  let typed: Typed = { owner: 0, forms: [] }
  const remember = ({ target }: Event) => {
    typed = readTyped(target as HTMLFormElement)
  }
  const reload = ({ detail }: CustomEventInit<string>) => {
    if (detail !== 'UnrecognizedActionError') return
    const heading = document.querySelector('h1')
    if (heading) heading.textContent = 'The app was updated.'
    keepText('updated', typed)
    location.reload()
  }
  document.addEventListener('submit', remember, true)
  addEventListener('plinth:error', reload)
}

/** Loaded when it is opened for the first time. */
const CommandPalette = lazy(() => import('./command-palette'))

/** Opens the command palette by its button, or by ⌘K or Ctrl+K where the page has the button. */
function PaletteOpener() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if ((target as Element | null)?.closest('.palette-button')) setOpen(true)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const isShortcut = (event.metaKey || event.ctrlKey) && event.key === 'k'
      // A text editor may use the same keys.
      if (!isShortcut || event.defaultPrevented || !isButtonVisible()) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('click', onClick)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('click', onClick)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
  return (
    open && (
      <Suspense>
        <CommandPalette onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}

/** A prerendered page has a hidden one for anonymous callers. */
function isButtonVisible(): boolean {
  return document.querySelector('.palette-button')?.checkVisibility() ?? false
}

const ToastCard = lazy(() => import('./toast-card'))

/** Part of every page from the start: screen readers announce what is added to it. */
function ToastRegion() {
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
