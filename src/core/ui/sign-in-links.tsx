import { ButtonLink } from './button'

/** Small screens have room for one of the two. */
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
