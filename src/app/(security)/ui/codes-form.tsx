'use client'

import type { ActionResult, FormAction } from 'plinth/universal/action-result'
import { useFormResult } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { afterChange } from '../after-change'
import { ConfirmFirst } from './confirm-first'
import { RecoveryCodes } from './recovery-codes'

const page = '/account/security/codes'

interface CodesFormProps {
  create: FormAction
  isProven: boolean
}

export function CodesForm({ create, isProven }: CodesFormProps) {
  return (
    <Form action={create} permalink={page} className="max-w-md">
      <CodesFields isProven={isProven} />
    </Form>
  )
}

function CodesFields({ isProven }: Pick<CodesFormProps, 'isProven'>) {
  const result = useFormResult() as ActionResult<{ codes: readonly string[] }> | undefined
  if (result?.ok) {
    return <RecoveryCodes codes={result.data.codes} continueTo={afterChange} />
  }
  if (!result && !isProven) return <ConfirmFirst page={page} />
  return (
    <>
      <p className="text-muted">
        Ten new codes replace the ones you have. The old ones stop working.
      </p>
      <SubmitButton>Create new codes</SubmitButton>
    </>
  )
}
