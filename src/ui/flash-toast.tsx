'use client'

import type { Flash, FormAction } from 'plinth/universal/action-result'
import { lazy, useEffect, useState } from 'react'
import { Notice } from './text'

const UndoForm = lazy(() => import('./forms/undo-form'))

interface FlashToastProps {
  flash: Flash
  /** The action of the flash's undo button. */
  undo: FormAction | undefined
}

/** A toast; without JavaScript, a notice at the top of the page. */
export function FlashToast({ flash, undo }: FlashToastProps) {
  const [isToast, setIsToast] = useState(false)
  useEffect(() => {
    import('./enhancements/toasts').then(({ showToast }) => {
      showToast({ ...flash, undoAction: undo })
      setIsToast(true)
    })
  }, [flash, undo])
  if (isToast) return null
  return (
    <div className="flash-notice">
      <Notice tone="positive">
        <span dir="auto">{flash.text}</span>
        {undo && flash.undo && <UndoForm action={undo} fields={flash.undo.fields} />}
      </Notice>
    </div>
  )
}
