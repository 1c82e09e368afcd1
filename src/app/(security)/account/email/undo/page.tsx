import type { Metadata } from 'next'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { PageLayout } from '@/core/layout/page-layout'
import { Form } from '@/core/ui/form'
import { SubmitButton } from '@/core/ui/submit-button'
import { findUndo, suspectDays } from '../../../data/email-undos'
import { InvalidLink, linkPage } from '../../../ui/invalid-link'
import { undoEmailChange } from './actions'

export const metadata: Metadata = { ...linkPage, title: 'Undo the change of your email' }

const query = z.object({ token: z.string().max(100).optional() })

/** Opening the page changes nothing: mail scanners open links too. */
export default page(
  {
    path: '/account/email/undo',
    name: 'view_undo_email',
    authorize: anyone,
    query,
    load: ({ query: { token } }) => findUndo(token),
  },
  ({ query: { token = '' }, data: undo }) => (
    <PageLayout width="form">
      {undo ? (
        <UndoForm token={token} email={undo.email} />
      ) : (
        <InvalidLink next={{ href: '/forgot', label: 'Reset your password' }} />
      )}
    </PageLayout>
  ),
)

function UndoForm({ token, email }: { token: string; email: string }) {
  return (
    <>
      <h1 className="text-2xl">Undo the change of your email</h1>
      <p className="mt-3 text-muted">
        If you did not change the email of your account, someone else may have used it. When you
        undo the change:
      </p>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-muted">
        <li>
          Your account has the email{' '}
          <strong className="font-medium break-words text-ink">{email}</strong> again.
        </li>
        <li>All devices are signed out, and no browser is remembered.</li>
        <li>
          Second factors that were added after the change, or in the {suspectDays} days before it,
          are removed.
        </li>
        <li>Your password no longer works. You choose a new one next.</li>
      </ul>
      <Form action={undoEmailChange} fields={{ token }} className="mt-8">
        <SubmitButton variant="danger" className="w-full">
          Undo the change
        </SubmitButton>
      </Form>
    </>
  )
}
