import type { Metadata } from 'next'
import { ButtonLink } from '@/ui/button'

/**
 * For pages with a token in the URL: not indexed, and the URL is not sent as a referrer, also where
 * another host sets the headers.
 */
export const linkPage: Metadata = {
  referrer: 'strict-origin',
  robots: { index: false, follow: false },
}

interface InvalidLinkProps {
  /** Where to get a new link, or what to do instead. */
  next: { href: string; label: string }
}

export function InvalidLink({ next }: InvalidLinkProps) {
  return (
    <>
      <h1 className="text-2xl">This link no longer works</h1>
      <p className="mt-3 text-muted">
        It was already used, has expired, or was replaced by a newer one.
      </p>
      <p className="mt-8">
        <ButtonLink href={next.href}>{next.label}</ButtonLink>
      </p>
    </>
  )
}
