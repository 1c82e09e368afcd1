import type { RecoveryView } from 'plinth/recovery/view'
import { Form } from '@/ui/forms/form'
import { SubmitButton } from '@/ui/forms/submit-button'
import { openRecovery } from './actions'

interface OpenFormProps {
  token: string
  view: RecoveryView
}

export function OpenForm({ token, view }: OpenFormProps) {
  const isTarget = view.email === view.targetEmail
  return (
    <>
      <h2 className="mt-8 text-lg">If this was not you</h2>
      <ol className="mt-2 list-decimal space-y-1 pl-5 text-muted">
        <li>Freeze the account. All devices are signed out, and no one can sign in.</li>
        <li>
          Prove that it is yours, with{' '}
          {isTarget ? 'a password or another method' : 'a sign-in method'} from before these
          changes.{' '}
          {isTarget
            ? 'Without a proof you wait for 72 hours.'
            : 'Without a proof an admin decides, because this email was added later.'}
        </li>
        <li>Take back the account. The changes are undone, and you are signed in.</li>
      </ol>
      <Form action={openRecovery} fields={{ token }} className="mt-6">
        <SubmitButton variant="danger" className="w-full">
          Freeze the account
        </SubmitButton>
      </Form>
      <p className="mt-3 text-sm text-muted">
        If all of this was you, close this page. Nothing changes.
      </p>
    </>
  )
}

/** Someone else has opened the recovery, and this reader has not said anything yet. */
export function ObjectForm({ token, view: { opener, state } }: OpenFormProps) {
  const isWaiting = state === 'waiting'
  return (
    <section className="mt-8 grid gap-3 border-t border-line pt-6">
      <h2 className="text-lg">
        {isWaiting ? 'If these changes were yours' : 'If the account is yours'}
      </h2>
      <p className="text-muted">
        {opener === 'another' &&
          'If you opened the recovery yourself, from your other email, there is nothing to do here. '}
        {isWaiting
          ? 'If these changes were yours and someone else wants to undo them, object. Then nothing is undone until an admin has decided.'
          : 'Tell the admin that you read this email. It shows that the account may be yours, and changes nothing else.'}
      </p>
      <Form action={openRecovery} fields={{ token }}>
        <SubmitButton variant={isWaiting ? 'danger' : 'secondary'} className="w-full">
          {isWaiting ? 'Object to the recovery' : 'This account is mine'}
        </SubmitButton>
      </Form>
    </section>
  )
}

/**
 * A form of its own behind a summary, and not a checkbox: an owner who ticks it by mistake would have
 * to wait for an admin.
 */
export function LeftEmail({ token, view: { state, targetEmail } }: OpenFormProps) {
  return (
    <details className="mt-8 border-t border-line pt-6 text-sm">
      <summary className="cursor-pointer font-medium">
        You no longer use <bdi className="break-words">{targetEmail}</bdi>?
      </summary>
      <p className="mt-3 text-muted">
        The account would get this email back. If you can no longer read new mail to it, do not take
        it back this way: an admin has to decide, which takes longer. If you do read it, ignore
        this.
      </p>
      <Form action={openRecovery} fields={{ token, left: 'yes' }} className="mt-4">
        <SubmitButton variant="secondary" className="w-full">
          {state === 'new' ? 'Freeze it and let an admin decide' : 'Let an admin decide'}
        </SubmitButton>
      </Form>
    </details>
  )
}
