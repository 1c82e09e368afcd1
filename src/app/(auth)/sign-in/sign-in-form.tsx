import { InputField } from '@/core/ui/field'
import { PasswordField } from '@/core/ui/password-field'
import { PostForm } from '@/core/ui/post-form'
import { Notice } from '@/core/ui/text'

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
      <PostForm
        action="/api/auth/signin"
        className="mt-8 grid gap-5"
        button={{ className: 'mt-1 w-full' }}
        submitLabel="Sign in"
      >
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
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          autoFocus={email !== undefined}
        />
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
      </PostForm>
    </>
  )
}
