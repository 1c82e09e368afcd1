import { urlWith } from 'plinth/universal/url'
import { ButtonLink } from '@/ui/button'

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
