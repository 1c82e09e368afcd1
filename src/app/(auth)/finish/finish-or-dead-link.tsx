import { findSignUp, type WayIn } from '@/core/auth/sign-up'
import { env } from '@/core/env'
import { DeadLink } from '../dead-link'
import { FinishForm } from './finish-form'

/** Only looks at the link: programs that scan mail open it too. */
export async function FinishOrDeadLink({ way, token }: { way: WayIn; token: string }) {
  const link = await findSignUp(way, token)
  if (link) return <FinishForm way={way} token={token} email={link.email} />
  const again = { href: '/sign-up', label: 'Get a new link' }
  return <DeadLink next={env().SIGN_UP === 'open' ? again : undefined} />
}
