import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { z } from 'zod'
import { TextLink } from '@/ui/text'
import { requestPasswordReset } from '../actions'
import { callbackFields, callbackUrlField, withCallbackUrl } from '../callback-url'
import { EmailRequestForm } from '../email-request-form'

export const metadata: Metadata = { title: 'Reset your password' }

const query = z.object({ callbackUrl: callbackUrlField })

export default page(
  { path: '/forgot', name: 'view_forgot', authorize: anyone, query },
  ({ query: { callbackUrl } }) => (
    <>
      <EmailRequestForm
        action={requestPasswordReset}
        fields={callbackFields(callbackUrl)}
        title="Reset your password"
        button="Send link"
        sent="If it has an account, use the link in the email to choose a new password. It expires in one hour."
      >
        Enter your email and we will send you a link to choose a new password.
      </EmailRequestForm>
      <p className="mt-6 text-sm text-muted">
        Remember your password?{' '}
        <TextLink href={withCallbackUrl('/sign-in', callbackUrl)}>Sign in</TextLink>
      </p>
    </>
  ),
)
