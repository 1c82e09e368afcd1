'use client'

import { errorOf, typedIn } from '@/core/guard/action-result'
import { InputField } from '@/core/ui/field'
import { SubmitButton } from '@/core/ui/submit-button'
import { Refused } from './refused'
import { type Act, useAccountForm } from './use-account-form'

interface DeleteFormProps {
  remove: Act
  email: string
  hasPassword: boolean
}

/** Asks for what only the owner has, and what nobody types by mistake. */
export function DeleteForm({ remove, email, hasPassword }: DeleteFormProps) {
  const { result, submit, form } = useAccountForm(remove)
  const errors = {
    confirmation: errorOf(result, 'confirmation'),
    password: errorOf(result, 'currentPassword'),
  }
  return (
    <details open={result !== undefined} className="max-w-md">
      <summary className="w-fit cursor-pointer text-sm font-medium text-danger">
        I want to delete my account
      </summary>
      <form ref={form} action={submit} noValidate className="mt-5 grid gap-5">
        <p className="text-sm text-muted">
          Your account, its sessions and its links to other services are gone, and you are signed
          out everywhere. What you wrote for others may stay, without your name. Nobody can undo
          this.
        </p>
        <Refused result={result} />
        <InputField
          label={`Type your e-mail address, ${email}`}
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
          Delete my account
        </SubmitButton>
      </form>
    </details>
  )
}
