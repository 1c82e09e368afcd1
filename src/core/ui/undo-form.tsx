'use client'

import { useActionState } from 'react'
import type { FormAction } from './action-result'
import { HiddenFields } from './field-layout'
import { SubmitButton } from './submit-button'

interface UndoFormProps {
  action: FormAction
  fields: Readonly<Record<string, string>>
}

export default function UndoForm({ action, fields }: UndoFormProps) {
  const [result, submit] = useActionState(action, undefined)
  return (
    <form action={submit}>
      {result?.ok === false && <p role="alert">{result.message}</p>}
      <HiddenFields fields={fields} />
      <SubmitButton variant="secondary" size="small">
        Undo
      </SubmitButton>
    </form>
  )
}
