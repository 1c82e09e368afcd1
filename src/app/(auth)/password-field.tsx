import { passwordLength } from '@/core/auth/passwords/length'
import { InputField } from '@/core/ui/field'

/** A new password. It is never sent back to the browser, also not after an error. */
export function PasswordField() {
  return (
    <InputField
      label="Password"
      name="password"
      type="password"
      autoComplete="new-password"
      required
      description={`A few random words work well. Minimum ${passwordLength.min} characters.`}
    />
  )
}
