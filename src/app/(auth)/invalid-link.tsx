import { ButtonLink } from '@/core/ui/button'

interface InvalidLinkProps {
  /** Where to get a new link. Undefined for an invitation, which only an admin can send. */
  next: { href: string; label: string } | undefined
}

export function InvalidLink({ next }: InvalidLinkProps) {
  return (
    <>
      <h1 className="text-2xl">This link no longer works</h1>
      <p className="mt-3 text-muted">
        It was already used, has expired, or was replaced by a newer one.
        {!next && ' Ask an admin for a new invitation.'}
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        {next && <ButtonLink href={next.href}>{next.label}</ButtonLink>}
        <ButtonLink href="/sign-in" variant="secondary">
          Sign in
        </ButtonLink>
      </p>
    </>
  )
}
