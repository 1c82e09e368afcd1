import { ButtonLink } from '@/core/ui/button'
import { urlWith } from '@/core/ui/url'

/** On the sign-in page. */
export function SignInLinkOption({ callbackUrl }: { callbackUrl: string }) {
  return (
    <ButtonLink
      href={urlWith('/sign-in/link', { callbackUrl })}
      variant="secondary"
      className="w-full"
    >
      Email me a sign-in link
    </ButtonLink>
  )
}
