import { mailCodeMinutes } from 'plinth/auth/accounts/mail-codes'
import { urlWith } from 'plinth/universal/url'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { confirmEnrollmentCode, sendEnrollmentCode } from './mailbox-actions'

interface MailboxFormProps {
  email: string
  callbackUrl: string | undefined
  isSent: boolean
}

/** After a sign-in with a provider, before a factor can be set up. */
export function MailboxForm({ email, callbackUrl, isSent }: MailboxFormProps) {
  const fields = callbackUrl === undefined ? {} : { callbackUrl }
  const here = (sent?: 'yes') => urlWith('/sign-in/enroll', { callbackUrl, sent })
  return (
    <>
      <p className="break-words text-muted">
        First confirm that it is you. {isSent ? 'We sent a code to ' : 'We send a code to '}
        <strong className="font-medium text-ink">{email}</strong>. It expires in {mailCodeMinutes}{' '}
        minutes.
      </p>
      {isSent && (
        <Form
          action={confirmEnrollmentCode}
          fields={fields}
          permalink={here('yes')}
          className="mt-8"
        >
          <InputField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            required
            autoFocus
            maxLength={20}
            description="Eight letters and digits."
          />
          <SubmitButton className="mt-1 w-full">Confirm</SubmitButton>
        </Form>
      )}
      <Form action={sendEnrollmentCode} fields={fields} permalink={here()} className="mt-8">
        <SubmitButton variant={isSent ? 'secondary' : 'primary'} className="w-full">
          {isSent ? 'Send again' : 'Send code'}
        </SubmitButton>
      </Form>
    </>
  )
}
