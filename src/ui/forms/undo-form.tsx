'use client'

import type { FormAction } from 'plinth/universal/action-result'
import { HiddenFields } from './field-layout'
import { useFormAction } from './form'
import { SubmitButton } from './submit-button'

interface UndoFormProps {
  action: FormAction
  fields: Readonly<Record<string, string>>
}

export default function UndoForm({ action, fields }: UndoFormProps) {
  const { form, result, submit } = useFormAction(action)
  return (
    <form ref={form} action={submit}>
      {result?.ok === false && <p role="alert">{result.message}</p>}
      <HiddenFields fields={fields} />
      <SubmitButton variant="secondary" size="small">
        Undo
      </SubmitButton>
    </form>
  )
}
