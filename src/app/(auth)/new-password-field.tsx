import { passwordLength } from '@/core/config/users'
import { PasswordField } from '@/core/ui/password-field'

/** A new password. It is never sent back to the browser, also not after an error. */
export function NewPasswordField({ email }: { email: string }) {
  return (
    <PasswordField
      label="Password"
      name="password"
      autoComplete="new-password"
      required
      description={`A few random words work well. Minimum ${passwordLength.min} characters.`}
      rules={{ ...passwordLength, email }}
    />
  )
}
