'use client'

import { useEffect } from 'react'
import type { FormAction } from './action-result'
import type { Flash } from './flash'
import { HiddenFields } from './hidden-fields'
import { Notice } from './notice'
import { SubmitButton } from './submit-button'
import { showToast } from './toasts'

interface FlashToastProps {
  flash: Flash
  /** The action of the flash's undo button. */
  undo: FormAction | undefined
}

/** A toast; without JavaScript, a notice at the top of the page. */
export function FlashToast({ flash, undo }: FlashToastProps) {
  const { text, undo: undone } = flash
  useEffect(() => showToast({ ...flash, undoAction: undo }), [flash, undo])
  return (
    <div className="flash-notice">
      <Notice tone="positive">
        {text}
        {undo && undone && (
          <form action={undo.bind(null, undefined) as (form: FormData) => Promise<never>}>
            <HiddenFields fields={undone.fields} />
            <SubmitButton variant="secondary" size="small">
              Undo
            </SubmitButton>
          </form>
        )}
      </Notice>
    </div>
  )
}
