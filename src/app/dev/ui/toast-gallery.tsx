'use client'

import { useState } from 'react'
import { refuse } from '@/core/ui/action-result'
import { Button } from '@/core/ui/button'
import { showToast } from '@/core/ui/enhancements/toasts'

const undo = { action: 'undo', fields: { id: '1' } }

/** The undo button of the second one fails, to show its error. */
export function ToastGallery() {
  const [shown, setShown] = useState(0)
  const show = (more: object) => {
    setShown(shown + 1)
    showToast({ id: String(shown), text: `Invitation ${shown + 1} sent.`, ...more })
  }
  const undoAction = async () => refuse('conflict', 'It was changed in the meantime.')
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => show({})}>
        Show a toast
      </Button>
      <Button variant="secondary" onClick={() => show({ undo, undoAction })}>
        Show a toast with undo
      </Button>
    </div>
  )
}
