import { InputField } from '@/core/ui/field'

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
