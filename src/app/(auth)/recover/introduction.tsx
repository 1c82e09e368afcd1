import type { RecoveryView } from 'plinth/recovery/view'
import type { ReactNode } from 'react'
import { LocalTime } from '@/ui/text'

/** Says where the recovery is, to the owner as to someone who only fears for the account. */
export function titleOf({ state, opener }: RecoveryView): string {
  if (state === 'new') return 'Was this not you?'
  if (state === 'ready') return 'Take back your account'
  if (state === 'decided') return 'An admin has decided'
  if (opener === 'another') return 'Were these changes yours?'
  if (opener === 'admin') return 'An admin has frozen your account'
  return state === 'admin' ? 'An admin decides' : 'Your account is frozen'
}

export function Introduction({ view }: { view: RecoveryView }) {
  return <div className="mt-3 grid gap-3 text-muted">{textOf(view)}</div>
}

function textOf(view: RecoveryView): ReactNode {
  const { state, opener } = view
  if (state === 'new') return <New />
  if (state === 'ready') return <Ready view={view} />
  if (state === 'decided') return <Decided view={view} />
  if (opener === 'another') return <OpenedByAnother view={view} />
  if (opener === 'admin') return <OpenedByAdmin />
  return state === 'admin' ? <AdminDecides view={view} /> : <Waiting view={view} />
}

function New() {
  return (
    <p>
      These changes were made to the sign-in of your account. If you did not make them, someone else
      may be using it. Nothing has happened yet.
    </p>
  )
}

function Waiting({ view: { readyAt, provable } }: { view: RecoveryView }) {
  return (
    <>
      <p>No one can sign in or change anything, also not the person who made these changes.</p>
      <p>
        You can take back the account on <Strong>{readyAt && <Minute at={readyAt} />}</Strong> with
        the link in our email.{' '}
        {provable.length > 0 && 'You do not have to wait if you prove now that it is yours. '}
        Until then every email of the account can object.
      </p>
    </>
  )
}

function AdminDecides({ view: { email, targetEmail, provable } }: { view: RecoveryView }) {
  return (
    <>
      <p>No one can sign in or change anything until an admin has decided.</p>
      <p>
        {email === targetEmail
          ? 'More than one email of the account was used, or you have told us that you left this one.'
          : 'Your link went to an email that was added later, which alone is not enough.'}{' '}
        An admin sees that you have opened this. We send you an email when they have decided.
        {provable.length > 0 &&
          ' You do not have to wait if you prove now that the account is yours.'}
      </p>
    </>
  )
}

function OpenedByAnother({ view }: { view: RecoveryView }) {
  const { state, openedAt, readyAt, targetEmail } = view
  return (
    <>
      <p>
        This page is for the reader of <Strong>{view.email}</Strong>. The recovery of your account
        was opened from another email
        {openedAt && (
          <>
            {' '}
            on <Minute at={openedAt} />
          </>
        )}
        . The account is frozen: no one can sign in or change anything.
      </p>
      {state === 'waiting' && readyAt ? (
        <p>
          If no one objects, the changes below are undone after{' '}
          <Strong>
            <Minute at={readyAt} />
          </Strong>
          , and the account has the email <Strong>{targetEmail}</Strong> again.
        </p>
      ) : (
        <p>An admin decides whether the changes below are undone.</p>
      )}
    </>
  )
}

function OpenedByAdmin() {
  return (
    <p>
      An admin froze it because someone else may have made the changes below. No one can sign in or
      change anything until the admin has decided.
    </p>
  )
}

function Decided({ view: { provable } }: { view: RecoveryView }) {
  return (
    <p>
      The reader of another email may take back this account. Until then it is frozen. If the
      account is yours, ask an admin for help now
      {provable.length > 0 && ', or prove below that it is yours'}.
    </p>
  )
}

function Ready({ view: { choices, targetEmail } }: { view: RecoveryView }) {
  return (
    <p>
      You are almost done. The account goes back to its state before the changes below
      {choices?.emails.length === 1 && (
        <>
          , with the email <Strong>{targetEmail}</Strong>
        </>
      )}
      . Sign-in methods that were added since are removed, and removed ones come back.
    </p>
  )
}

function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-medium break-words text-ink">{children}</strong>
}

function Minute({ at }: { at: Date }) {
  return <LocalTime at={at} precision="minute" />
}
