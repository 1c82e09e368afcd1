'use client'

import type { FormAction } from 'plinth/universal/action-result'
import type { ReactNode } from 'react'
import { InputField, useFormResult } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { PasswordField } from '@/ui/forms/password-field'
import { SubmitButton } from '@/ui/forms/submit-button'

interface DeleteFormProps {
  remove: FormAction
  email: string
  hasPassword: boolean
  /** The user has just confirmed that it is them, to delete the account. */
  isProven: boolean
  /** Leads to that proof, in place of the fields: without it they would not be enough. */
  children?: ReactNode
}

export function DeleteForm({ remove, ...fields }: DeleteFormProps) {
  return (
    <Form action={remove} permalink="/account/data" className="max-w-md">
      <DeleteFields {...fields} />
    </Form>
  )
}

/** The password or another proof shows the owner; typing the email prevents accidents. */
function DeleteFields(props: Omit<DeleteFormProps, 'remove'>) {
  const { email, hasPassword, isProven, children } = props
  const result = useFormResult()
  return (
    <details open={isProven || result !== undefined}>
      <summary className="w-fit cursor-pointer text-sm font-medium text-danger">
        Delete your account
      </summary>
      <div className="mt-5 grid gap-5">
        <p className="text-sm text-muted">
          This deletes your account, its sessions and its linked accounts, and signs you out on all
          devices. Content that you created may remain without your name. You cannot undo this.
        </p>
        {children && !result ? (
          children
        ) : (
          <>
            <InputField
              label={`Enter your email (${email}) to confirm`}
              name="confirmation"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
            {hasPassword && (
              <PasswordField
                label="Your password"
                name="currentPassword"
                autoComplete="current-password"
                required
              />
            )}
            <SubmitButton variant="danger" className="justify-self-start">
              Delete account
            </SubmitButton>
          </>
        )}
      </div>
    </details>
  )
}
