import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { TextLink } from '@/ui/text'
import { requestSignInLink } from './actions'
import { callbackFields, callbackUrlField, safeCallback } from './callback-url'
import { hasSignInLinks } from './setting'

export const metadata: Metadata = { title: 'Sign in by email' }

const query = z.object({ callbackUrl: callbackUrlField })

export default page(
  { path: '/sign-in/link', name: 'view_sign_in_link', authorize: anyone, query },
  ({ query: { callbackUrl } }) => {
    if (!hasSignInLinks()) notFound()
    return (
      <>
        <h1 className="text-2xl">Sign in by email</h1>
        <p className="mt-3 text-muted">
          Enter your email and we will send you a link and a code to sign in without your password.
        </p>
        <Form action={requestSignInLink} fields={callbackFields(callbackUrl)} className="mt-8">
          <InputField
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            required
            autoFocus
          />
          <SubmitButton className="mt-1 w-full">Send link</SubmitButton>
        </Form>
        <p className="mt-6 text-sm text-muted">
          <TextLink href={urlWith('/sign-in', { callbackUrl: safeCallback(callbackUrl) })}>
            Sign in another way
          </TextLink>
        </p>
      </>
    )
  },
)
