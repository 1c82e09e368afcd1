import type { SignUpLink } from '@/core/auth/accounts/sign-up'
import { env } from '@/core/config/env'
import { callbackFields, withCallbackUrl } from '../callback-url'
import { InvalidLink } from '../invalid-link'
import { CreateAccountForm } from './create-account-form'

interface CreateAccountPageProps {
  purpose: SignUpLink
  token: string
  callbackUrl: string | undefined
  /** Undefined if the link is invalid, used or expired. */
  link: { email: string } | undefined
}

export function CreateAccountPage(props: CreateAccountPageProps) {
  const { link, callbackUrl, ...form } = props
  if (link) {
    return <CreateAccountForm {...form} {...callbackFields(callbackUrl)} email={link.email} />
  }
  const newLink = { href: withCallbackUrl('/sign-up', callbackUrl), label: 'Get a new link' }
  return <InvalidLink next={env().SIGN_UP === 'open' ? newLink : undefined} />
}
