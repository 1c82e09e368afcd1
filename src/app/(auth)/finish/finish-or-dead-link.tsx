import type { WayIn } from '@/core/auth/sign-up'
import { env } from '@/core/env'
import { DeadLink } from '../dead-link'
import { FinishForm } from './finish-form'

interface FinishOrDeadLinkProps {
  way: WayIn
  token: string
  /** Undefined when it does not work, or no longer. */
  link: { email: string } | undefined
}

export function FinishOrDeadLink({ way, token, link }: FinishOrDeadLinkProps) {
  if (link) return <FinishForm way={way} token={token} email={link.email} />
  const again = { href: '/sign-up', label: 'Get a new link' }
  return <DeadLink next={env().SIGN_UP === 'open' ? again : undefined} />
}
