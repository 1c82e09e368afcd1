'use client'

import type { FormAction } from 'plinth/universal/action-result'
import type { Role } from 'plinth/universal/users'
import { type SubmitEvent, startTransition, useEffect, useRef } from 'react'
import { Button } from '@/ui/button'
import { FlashToast } from '@/ui/flash-toast'
import { CheckboxField, FormContext, SelectField, TextAreaField } from '@/ui/forms/field'
import { FormErrors, useFormAction } from '@/ui/forms/form'
import { ConfirmIdentity } from '@/ui/forms/submit-button'
import { withoutAddresses } from './without-addresses'

interface Sent {
  id: string
  /** Names those that were invited. */
  text: string
  sent: readonly string[]
  rejected: readonly { email: string; reason: string }[]
}

interface InvitationFormProps {
  send: FormAction<Sent>
  roles: readonly Role[]
}

/**
 * React resets a form when its action has run, and what was typed meanwhile would be lost. So the
 * action is called without a reset, and afterwards only the invited addresses are taken out.
 */
export function InvitationForm({ send, roles }: InvitationFormProps) {
  const { form, result, submit, pending } = useFormAction(send, '/admin/invitations')
  const emails = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const field = emails.current
    if (result?.ok && field) field.value = withoutAddresses(field.value, result.data.sent)
  }, [result])
  const submitInPlace = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    if (!pending) startTransition(() => submit(fields))
  }
  const rejected = result?.ok ? result.data.rejected : []
  const { errors, typed } = result?.ok === false ? result : {}
  const asksForAdmin = typed?.role === 'admin' || errors?.some(({ field }) => field === 'confirmed')
  return (
    <FormContext value={result}>
      {result?.ok && <FlashToast flash={result.data} undo={undefined} />}
      <form
        ref={form}
        action={submit}
        onSubmit={submitInPlace}
        noValidate
        className="form mb-8 max-w-md"
      >
        <FormErrors result={result} form={form} place="top" />
        <TextAreaField
          ref={emails}
          label="Emails"
          name="emails"
          rows={3}
          required
          error={rejected.length > 0 ? notSent(rejected) : undefined}
          defaultValue={rejected.map(({ email }) => email).join('\n')}
          description="One or more, separated by commas, spaces or lines. Each gets a link that works once and expires after seven days."
        />
        <SelectField
          label="Role"
          name="role"
          required
          defaultValue="viewer"
          options={roles.map((role) => ({ value: role, label: role }))}
        />
        {asksForAdmin && (
          <CheckboxField
            label="Invite as admin"
            name="confirmed"
            required
            description="Admins change and delete users, articles and sessions, and invite other admins."
          />
        )}
        <ConfirmIdentity result={result} page="/admin/invitations" />
        <Button type="submit" pending={pending}>
          Send invitations
        </Button>
        <FormErrors result={result} form={form} place="end" />
      </form>
    </FormContext>
  )
}

function notSent(rejected: Sent['rejected']): string {
  return `Not sent to ${rejected.map(({ email, reason }) => `${email} (${reason})`).join(', ')}.`
}
