'use client'

import { errorOf, type FormAction, typedIn } from '@/core/ui/action-result'
import { Badge } from '@/core/ui/badge'
import { InputField } from '@/core/ui/field'
import { SubmitButton } from '@/core/ui/submit-button'
import { FormError } from './form-error'
import { useAccountForm } from './use-account-form'

interface ProfileFormProps {
  save: FormAction
  name: string
  email: string
  role: string
}

export function ProfileForm({ save, name, email, role }: ProfileFormProps) {
  const { result, submit, form } = useAccountForm(save)
  const error = errorOf(result, 'name')
  return (
    <form ref={form} action={submit} noValidate className="grid max-w-md gap-5">
      <FormError result={result} />
      <InputField
        label="Name"
        name="name"
        autoComplete="name"
        required
        maxLength={1000}
        defaultValue={typedIn(result, 'name') ?? name}
        error={error}
        autoFocus={error !== undefined}
      />
      <dl className="grid gap-1.5 text-sm">
        <div className="flex flex-wrap gap-x-3">
          <dt className="text-muted">Email</dt>
          <dd className="min-w-0 break-words">{email}</dd>
        </div>
        <div className="flex flex-wrap gap-x-3">
          <dt className="text-muted">Role</dt>
          <dd>
            <Badge>{role}</Badge>
          </dd>
        </div>
      </dl>
      <SubmitButton className="justify-self-start">Save changes</SubmitButton>
    </form>
  )
}
