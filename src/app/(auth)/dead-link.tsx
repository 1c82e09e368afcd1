import { ButtonLink } from '@/core/ui/button'

interface DeadLinkProps {
  /** Where a new one is to be had; an invitation only comes from somebody. */
  next: { href: string; label: string } | undefined
}

export function DeadLink({ next }: DeadLinkProps) {
  return (
    <>
      <h1 className="text-2xl">This link no longer works</h1>
      <p className="mt-3 text-muted">
        It has been used, has expired, or a newer one has taken its place.
        {!next && ' Ask whoever invited you for another.'}
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
