import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { InputField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { Detail, DetailList, Section } from '@/ui/page-parts'
import { LocalTime } from '@/ui/text'
import { findPendingChange } from '../../data/email-changes'
import { mayUseSecurity } from '../../policy'
import { SecurityLayout } from '../security-layout'
import { cancelEmailChange, requestEmailChange } from './actions'

export const metadata: Metadata = { title: 'Email · Account' }

const path = '/account/email'

export default page(
  {
    name: 'view_email',
    path: '/account/email',
    authorize: mayUseSecurity,
    renderCache: true,
    load: ({ scope }) => findPendingChange(scope.session.user.id),
  },
  ({ scope, data: pending }) => (
    <SecurityLayout title="Email" current="/account/email">
      <Section title="Your email" lead="You sign in with it, and notices are sent to it.">
        <p className="break-words">{scope.session.user.email}</p>
      </Section>
      {pending && (
        <Section title="Pending change" lead="Your email stays the same until you confirm it.">
          <PendingChange {...pending} />
        </Section>
      )}
      <Section
        title="Change your email"
        lead="We send a link to the new email. Your current one gets a notice, from which the change can be undone for seven days."
      >
        <Form action={requestEmailChange} permalink={path} className="max-w-md">
          <InputField
            label="New email"
            name="email"
            type="email"
            autoComplete="email"
            required
            maxLength={1000}
          />
          <SubmitButton>Send confirmation link</SubmitButton>
        </Form>
      </Section>
    </SecurityLayout>
  ),
)

interface PendingChangeProps {
  email: string
  createdAt: Date
  expiresAt: Date
}

function PendingChange({ email, createdAt, expiresAt }: PendingChangeProps) {
  return (
    <>
      <DetailList>
        <Detail label="New email">{email}</Detail>
        <Detail label="Requested">
          <LocalTime at={createdAt} precision="minute" />
        </Detail>
        <Detail label="Expires">
          <LocalTime at={expiresAt} precision="minute" />
        </Detail>
      </DetailList>
      <p className="mt-4 text-sm text-muted">
        Use the link in the email that we sent there. If there is none, check the spam folder.
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Form action={requestEmailChange} fields={{ email }} permalink={path}>
          <SubmitButton variant="secondary">Send again</SubmitButton>
        </Form>
        <Form action={cancelEmailChange} permalink={path}>
          <SubmitButton variant="secondary">Cancel change</SubmitButton>
        </Form>
      </div>
    </>
  )
}
