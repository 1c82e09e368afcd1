'use client'

import { useRef, useState } from 'react'
import { Button } from '@/core/ui/button'
import { SubmitButton } from '@/core/ui/submit-button'

/** The action runs until “Finish saving” is pressed, to show the pending state. */
export function PendingForm() {
  const [runs, setRuns] = useState(0)
  const finish = useRef<() => void>(undefined)

  async function run() {
    setRuns((count) => count + 1)
    await new Promise<void>((resolve) => {
      finish.current = resolve
    })
  }

  return (
    <form action={run} className="flex flex-wrap items-center gap-3">
      <SubmitButton variant="secondary">Save changes</SubmitButton>
      <Button variant="quiet" onClick={() => finish.current?.()}>
        Finish saving
      </Button>
      <output className="text-sm text-muted">Saved {runs} times</output>
    </form>
  )
}
