import { passwordLength } from '@/core/config/users'
import { InputField } from '@/core/ui/field'
import { PasswordField } from '@/core/ui/password-field'

/** The email of the link. Read-only, and tells password managers which account this is. */
export function EmailField({ email }: { email: string }) {
  return (
    <InputField
      label="Email"
      name="email"
      type="email"
      autoComplete="username"
      required
      readOnly
      value={email}
    />
  )
}

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
