'use client'

import type { ActionResult, FormAction } from '@/core/ui/action-result'
import { useFormResult } from '@/core/ui/field'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { afterChange } from '../after-change'
import { RecoveryCodes } from './recovery-codes'

export function CodesForm({ create }: { create: FormAction }) {
  return (
    <Form action={create} permalink="/account/security/codes" className="max-w-md">
      <CodesFields />
    </Form>
  )
}

function CodesFields() {
  const result = useFormResult() as ActionResult<{ codes: readonly string[] }> | undefined
  if (result?.ok) {
    return <RecoveryCodes codes={result.data.codes} continueTo={afterChange} />
  }
  return (
    <>
      <p className="text-muted">
        Ten new codes replace the ones you have. The old ones stop working.
      </p>
      <SubmitButton>Create new codes</SubmitButton>
    </>
  )
}
