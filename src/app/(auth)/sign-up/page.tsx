import type { Metadata } from 'next'
import { findSignUp } from '@/core/auth/sign-up'
import { env } from '@/core/env'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { TextLink } from '@/core/ui/text-link'
import { AskForm } from '../ask-form'
import { FinishOrDeadLink } from '../finish/finish-or-dead-link'
import { linkPage, linkQuery } from '../link-page'
import { askForAccount } from './actions'
import { NotOpen } from './not-open'

export const metadata: Metadata = { ...linkPage, title: 'Create an account' }

/** Only looks at an invitation: programs that scan mail open it too. */
export default page(
  {
    path: '/sign-up',
    name: 'see_sign_up',
    who: anyone,
    query: linkQuery,
    load: async ({ query: { token } }) =>
      token !== undefined && env().SIGN_UP !== 'closed'
        ? { token, link: await findSignUp('invitation', token) }
        : undefined,
  },
  ({ data: invitation }) => {
    if (invitation) return <FinishOrDeadLink way="invitation" {...invitation} />
    const { SIGN_UP } = env()
    if (SIGN_UP !== 'open') return <NotOpen byInvitation={SIGN_UP === 'invite'} />
    return <Open />
  },
)

function Open() {
  return (
    <>
      <AskForm
        ask={askForAccount}
        title="Create an account"
        button="Send me the link"
        sent="Follow the link in it to choose your name and password. It works for one day."
      >
        We send a link to your address, so that nobody else can use it here.
      </AskForm>
      <p className="mt-6 text-sm text-muted">
        You have an account? <TextLink href="/sign-in">Sign in</TextLink>
      </p>
    </>
  )
}
