import type { Metadata } from 'next'
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

export default page(
  { path: '/sign-up', name: 'see_sign_up', who: anyone, query: linkQuery },
  ({ query: { token: invitation } }) => {
    const { SIGN_UP } = env()
    if (SIGN_UP !== 'closed' && invitation !== undefined) {
      return <FinishOrDeadLink way="invitation" token={invitation} />
    }
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
