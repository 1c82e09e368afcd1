import { ButtonLink } from '@/core/ui/button'

export function SignUpClosed({ inviteOnly }: { inviteOnly: boolean }) {
  return (
    <>
      <h1 className="text-2xl">
        {inviteOnly ? 'Sign-up is by invitation only' : 'Sign-up is closed'}
      </h1>
      <p className="mt-3 text-muted">
        {inviteOnly
          ? 'To create an account, use the link in your invitation email. If you no longer have it, ask an admin for a new one.'
          : 'New accounts cannot be created at the moment.'}
      </p>
      <p className="mt-8">
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </>
  )
}
