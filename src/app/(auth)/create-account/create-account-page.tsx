import type { SignUpLink } from '@/core/auth/accounts/sign-up'
import { env } from '@/core/config/env'
import { InvalidLink } from '../invalid-link'
import { CreateAccountForm } from './create-account-form'

interface CreateAccountPageProps {
  purpose: SignUpLink
  token: string
  /** Undefined if the link is invalid, used or expired. */
  link: { email: string } | undefined
}

export function CreateAccountPage({ purpose, token, link }: CreateAccountPageProps) {
  if (link) return <CreateAccountForm purpose={purpose} token={token} email={link.email} />
  const newLink = { href: '/sign-up', label: 'Get a new link' }
  return <InvalidLink next={env().SIGN_UP === 'open' ? newLink : undefined} />
}
