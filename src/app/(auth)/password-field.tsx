import { passwordLength } from '@/core/auth/password-length'
import { InputField } from '@/core/ui/field'

/** A new password. It is never shown again, also not after something else was wrong. */
export function PasswordField({ error }: { error: string | undefined }) {
  return (
    <InputField
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      required
      description={`At least ${passwordLength.least} characters; a few words in a row are easy to remember.`}
      error={error}
      autoFocus={error !== undefined}
    />
  )
}
