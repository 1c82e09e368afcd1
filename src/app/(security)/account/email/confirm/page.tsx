import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { PageLayout } from '@/app/page-layout'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { PostForm } from '@/ui/post-form'
import { findEmailChange } from '../../../data/email-changes'
import { mayUseSecurity } from '../../../policy'
import { InvalidLink, linkPage } from '../../../ui/invalid-link'
import { confirmEmailChange } from '../actions'

export const metadata: Metadata = { ...linkPage, title: 'Confirm your new email' }

const query = z.object({ token: z.string().max(100).optional() })

/** Opening the page changes nothing: mail scanners open links too, and have no session. */
export default page(
  {
    path: '/account/email/confirm',
    name: 'view_confirm_email',
    authorize: mayUseSecurity,
    query,
    load: ({ query: { token } }) => findEmailChange(token),
  },
  ({ scope, query: { token = '' }, data: change }) => {
    const isOwn = change?.userId === scope.session.user.id
    return (
      <PageLayout width="form">
        {!change && <InvalidLink next={{ href: '/account/email', label: 'Go to your email' }} />}
        {change && !isOwn && <AnotherAccount token={token} />}
        {change && isOwn && <ConfirmForm token={token} email={change.email} />}
      </PageLayout>
    )
  },
)

function ConfirmForm({ token, email }: { token: string; email: string }) {
  return (
    <>
      <h1 className="text-2xl">Confirm your new email</h1>
      <p className="mt-3 text-muted">
        Your account will have the email{' '}
        <strong className="font-medium break-words text-ink">{email}</strong>. You are signed out on
        your other devices, and your old email gets a notice.
      </p>
      <Form action={confirmEmailChange} fields={{ token }} className="mt-8">
        <SubmitButton className="w-full">Change email</SubmitButton>
      </Form>
    </>
  )
}

/** Does not tell which one. */
function AnotherAccount({ token }: { token: string }) {
  return (
    <>
      <h1 className="text-2xl">This link is for another account</h1>
      <p className="mt-3 text-muted">
        Sign in to the account whose email you want to change. You come back to this page.
      </p>
      <PostForm
        action="/api/auth/signout"
        className="mt-8"
        button={{ className: 'w-full' }}
        submitLabel="Sign out and continue"
      >
        <input
          type="hidden"
          name="callbackUrl"
          value={urlWith('/account/email/confirm', { token })}
        />
      </PostForm>
    </>
  )
}
