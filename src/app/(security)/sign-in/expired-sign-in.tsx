import { urlWith } from 'plinth/universal/url'
import { ButtonLink } from '@/ui/button'

export function ExpiredSignIn({ callbackUrl }: { callbackUrl: string | undefined }) {
  return (
    <>
      <h1 className="text-2xl">This sign-in has expired</h1>
      <p className="mt-3 text-muted">
        A sign-in has to be confirmed within five minutes. Nothing was changed.
      </p>
      <p className="mt-8">
        <ButtonLink href={urlWith('/sign-in', { callbackUrl })}>Sign in again</ButtonLink>
      </p>
    </>
  )
}
