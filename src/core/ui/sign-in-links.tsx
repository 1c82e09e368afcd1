import { ButtonLink } from './button'

/** For whoever is not signed in. On a phone there is room for one of them. */
export function SignInLinks({ signUp = false }: { signUp?: boolean }) {
  return (
    <div className="flex items-center gap-1.5">
      <ButtonLink href="/sign-in" variant="quiet" size="small" className="max-sm:h-11">
        Sign in
      </ButtonLink>
      {signUp && (
        <ButtonLink href="/sign-up" variant="secondary" size="small" className="max-sm:hidden">
          Create account
        </ButtonLink>
      )}
    </div>
  )
}
