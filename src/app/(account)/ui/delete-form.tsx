'use client'

import { errorOf, type FormAction, typedIn } from '@/core/ui/action-result'
import { InputField } from '@/core/ui/field'
import { SubmitButton } from '@/core/ui/submit-button'
import { FormError } from './form-error'
import { useAccountForm } from './use-account-form'

interface DeleteFormProps {
  remove: FormAction
  email: string
  hasPassword: boolean
}

/** The password proves the owner; typing the email prevents accidents. */
export function DeleteForm({ remove, email, hasPassword }: DeleteFormProps) {
  const { result, submit, form } = useAccountForm(remove)
  const errors = {
    confirmation: errorOf(result, 'confirmation'),
    password: errorOf(result, 'currentPassword'),
  }
  return (
    <details open={result !== undefined} className="max-w-md">
      <summary className="w-fit cursor-pointer text-sm font-medium text-danger">
        Delete your account
      </summary>
      <form ref={form} action={submit} noValidate className="mt-5 grid gap-5">
        <p className="text-sm text-muted">
          This deletes your account, its sessions and its linked accounts, and signs you out on all
          devices. Content that you created may remain without your name. You cannot undo this.
        </p>
        <FormError result={result} />
        <InputField
          label={`Enter your email (${email}) to confirm`}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={typedIn(result, 'confirmation')}
          error={errors.confirmation}
          autoFocus={errors.confirmation !== undefined}
        />
        {hasPassword && (
          <InputField
            label="Your password"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            required
            error={errors.password}
            autoFocus={errors.password !== undefined && errors.confirmation === undefined}
          />
        )}
        <SubmitButton variant="danger" className="justify-self-start">
          Delete account
        </SubmitButton>
      </form>
    </details>
  )
}
