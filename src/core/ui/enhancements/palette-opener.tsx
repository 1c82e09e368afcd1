'use client'

import { lazy, Suspense, useEffect, useState } from 'react'

/** Loaded when it is opened for the first time. */
const CommandPalette = lazy(() => import('./command-palette'))

/** Opens the command palette by its button, or by ⌘K or Ctrl+K where the page has the button. */
export function PaletteOpener() {
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
