import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { ButtonLink } from '@/ui/button'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { TextLink } from '@/ui/text'
import { linkMinutes } from '../../../data/sign-in-links'
import { requestSignInLink, signInWithEmailCode } from '../actions'
import { currentRequest } from '../browser-cookie'
import { callbackFields, callbackUrlField, safeCallback } from '../callback-url'
import { hasSignInLinks } from '../setting'

export const metadata: Metadata = { title: 'Check your email', robots: { index: false } }

const query = z.object({ callbackUrl: callbackUrlField })

/** In the browser that asked for the link. It says the same for every email. */
export default page(
  { path: '/sign-in/link/code', name: 'view_sign_in_code', authorize: anyone, query },
  async ({ query: { callbackUrl } }) => {
    if (!hasSignInLinks()) notFound()
    const request = await currentRequest()
    const here = urlWith('/sign-in/link/code', { callbackUrl: safeCallback(callbackUrl) })
    const fields = callbackFields(callbackUrl)
    if (!request) return <NothingSent href={urlWith('/sign-in/link', fields)} />
    return (
      <>
        <h1 className="text-2xl">Check your email</h1>
        <p className="mt-3 text-muted">
          We sent an email to{' '}
          <strong className="font-medium break-words text-ink">{request.email}</strong>. If it has
          an account, use the link in the email, or enter its code here. They expire in{' '}
          {linkMinutes} minutes.
        </p>
        {process.env.NODE_ENV === 'development' && (
          <p className="mt-3 text-muted">
            In development, find it in the <TextLink href="/dev/mailbox">mailbox</TextLink>.
          </p>
        )}
        <Form action={signInWithEmailCode} fields={fields} permalink={here} className="mt-8">
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
          <SubmitButton className="mt-1 w-full">Sign in</SubmitButton>
        </Form>
        <Form
          action={requestSignInLink}
          fields={{ email: request.email, again: 'yes', ...fields }}
          permalink={here}
          className="mt-8 border-t border-line pt-6"
        >
          <p className="text-sm text-muted">
            No email after a few minutes? Check your spam folder, or send it again.
          </p>
          <SubmitButton variant="secondary" className="w-full">
            Send again
          </SubmitButton>
        </Form>
      </>
    )
  },
)

/** The cookie has expired, or another browser asked. */
function NothingSent({ href }: { href: string }) {
  return (
    <>
      <h1 className="text-2xl">Request an email first</h1>
      <p className="mt-3 text-muted">
        A code works only in the browser that asked for it, for {linkMinutes} minutes.
      </p>
      <p className="mt-8">
        <ButtonLink href={href}>Send me a link</ButtonLink>
      </p>
    </>
  )
}
