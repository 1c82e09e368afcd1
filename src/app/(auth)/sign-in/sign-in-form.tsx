import { Button } from '@/core/ui/button'
import { InputField } from '@/core/ui/field'
import { Notice } from '@/core/ui/notice'

interface SignInFormProps {
  error: string | undefined
  /** The email of a failed attempt. */
  email: string | undefined
  callbackUrl: string
}

/** Posts to the HTTP API, so that it works without JavaScript. */
export function SignInForm({ error, email, callbackUrl }: SignInFormProps) {
  return (
    <>
      <h1 className="text-2xl">Sign in</h1>
      <form method="post" action="/api/auth/signin" className="mt-8 grid gap-5">
        {error && <Notice>{error}</Notice>}
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          autoFocus={email === undefined}
        />
        <InputField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus={email !== undefined}
        />
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
        <Button type="submit" className="mt-1 w-full">
          Sign in
        </Button>
      </form>
    </>
  )
}
