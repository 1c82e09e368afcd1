import { ButtonLink } from '@/core/ui/button'

export function NotOpen({ byInvitation }: { byInvitation: boolean }) {
  return (
    <>
      <h1 className="text-2xl">
        {byInvitation ? 'Accounts are by invitation' : 'No new accounts'}
      </h1>
      <p className="mt-3 text-muted">
        {byInvitation
          ? 'Follow the link in the invitation that was sent to you. If you have lost it, ask whoever invited you for another.'
          : 'Accounts cannot be created here at the moment.'}
      </p>
      <p className="mt-8">
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </>
  )
}
