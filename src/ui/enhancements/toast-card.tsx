'use client'

import { useEffect, useState } from 'react'
import UndoForm from '../forms/undo-form'
import { Icon } from '../text'
import { dismissToast, type Toast } from './toasts'

const seconds = 8
/** Long enough to read it, think, and reach the button with a keyboard. */
const secondsWithUndo = 30

/** It stays while the pointer or the focus is on it. */
export default function ToastCard({ toast }: { toast: Toast }) {
  const { id, text, undo, undoAction } = toast
  const [held, setHeld] = useState(false)
  useEffect(() => {
    focusMainIfLost()
  }, [])
  useEffect(() => {
    if (held) return
    const timeout = (undoAction ? secondsWithUndo : seconds) * 1000
    const timer = setTimeout(() => dismissToast(id), timeout)
    return () => clearTimeout(timer)
  }, [id, held, undoAction])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the events only pause the timer.
    <div
      className="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p dir="auto">{text}</p>
      {undo && undoAction && <UndoForm action={undoAction} fields={undo.fields} />}
      <button type="button" aria-label="Dismiss" onClick={() => dismissToast(id)}>
        <Icon name="close" />
      </button>
    </div>
  )
}

/** The focused element may be gone, such as the row of a revoked session. */
function focusMainIfLost(): void {
  if (document.activeElement !== document.body) return
  document.getElementById('main')?.focus({ preventScroll: true })
}
