import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { findSignInLink } from '../../../data/sign-in-links'
import { InvalidLink, linkPage } from '../../../ui/invalid-link'
import { signInWithLink } from '../actions'
import { callbackFields, callbackUrlField } from '../callback-url'
import { hasSignInLinks } from '../setting'

export const metadata: Metadata = { ...linkPage, title: 'Sign in' }

const query = z.object({ token: z.string().max(100).optional(), callbackUrl: callbackUrlField })

/** Opening the page changes nothing: mail scanners open links too. */
export default page(
  {
    path: '/sign-in/link/confirm',
    name: 'view_confirm_sign_in',
    authorize: anyone,
    query,
    load: async ({ query: { token } }) => (hasSignInLinks() ? findSignInLink(token) : undefined),
  },
  ({ query: { token = '', callbackUrl }, data: email }) => {
    if (!hasSignInLinks()) notFound()
    const fields = callbackFields(callbackUrl)
    if (!email) {
      return (
        <InvalidLink next={{ href: urlWith('/sign-in/link', fields), label: 'Get a new link' }} />
      )
    }
    return (
      <>
        <h1 className="text-2xl">Sign in</h1>
        <p className="mt-3 text-muted">
          You are about to sign in on this device as{' '}
          <strong className="font-medium break-words text-ink">{email}</strong>.
        </p>
        <Form action={signInWithLink} fields={{ token, ...fields }} className="mt-8">
          <SubmitButton className="w-full">Sign in</SubmitButton>
        </Form>
      </>
    )
  },
)
