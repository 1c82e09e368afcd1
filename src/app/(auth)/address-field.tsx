import { InputField } from '@/core/ui/field'

/** Whose link it is: shown to people, and told to the program that keeps their passwords. */
export function AddressField({ email }: { email: string }) {
  return (
    <InputField
      label="E-mail"
      name="email"
      type="email"
      autoComplete="username"
      required
      readOnly
      value={email}
    />
  )
}
