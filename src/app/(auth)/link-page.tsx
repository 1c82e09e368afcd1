import type { Metadata } from 'next'
import { passwordLength } from 'plinth/auth/accounts/fields'
import { z } from 'zod'
import { ButtonLink } from '@/ui/button'
import { InputField } from '@/ui/forms/field'
import { PasswordField } from '@/ui/forms/password-field'
import { callbackUrlField } from './callback-url'

/**
 * For pages with a token in the URL: not indexed, and the URL is not sent as a referrer, also where
 * another host sets the headers. `no-referrer` would also remove the Origin header from the form,
 * which the CSRF check needs.
 */
export const linkPage: Metadata = {
  referrer: 'strict-origin',
  robots: { index: false, follow: false },
}

export const linkQuery = z.object({
  token: z.string().max(100).optional(),
  callbackUrl: callbackUrlField,
})

interface InvalidLinkProps {
  /** Where to get a new link. Undefined for an invitation, which only an admin can send. */
  next: { href: string; label: string } | undefined
}

export function InvalidLink({ next }: InvalidLinkProps) {
  return (
    <>
      <h1 className="text-2xl">This link no longer works</h1>
      <p className="mt-3 text-muted">
        It was already used, has expired, or was replaced by a newer one.
        {!next && ' Ask an admin for a new invitation.'}
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        {next && <ButtonLink href={next.href}>{next.label}</ButtonLink>}
        <ButtonLink href="/sign-in" variant="secondary">
          Sign in
        </ButtonLink>
      </p>
    </>
  )
}

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

interface NewPasswordFieldProps {
  email: string
  /** If the page has asked for the old one too. */
  label?: string
}

/** A new password. It is never sent back to the browser, also not after an error. */
export function NewPasswordField({ email, label = 'Password' }: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      name="password"
      autoComplete="new-password"
      required
      description={`A few random words work well. Minimum ${passwordLength().min} characters.`}
      rules={{ ...passwordLength(), email }}
    />
  )
}
