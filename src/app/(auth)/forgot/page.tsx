import type { Metadata } from 'next'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { TextLink } from '@/core/ui/text-link'
import { AskForm } from '../ask-form'
import { askForNewPassword } from './actions'

export const metadata: Metadata = { title: 'Forgot your password' }

export default page({ path: '/forgot', name: 'see_forgot', who: anyone }, () => (
  <>
    <AskForm
      ask={askForNewPassword}
      title="Forgot your password?"
      button="Send me the link"
      sent="If it has an account, the link in it lets you choose a new password. It works for one hour."
    >
      Tell us your address, and we send you a link to choose a new one.
    </AskForm>
    <p className="mt-6 text-sm text-muted">
      You remember it? <TextLink href="/sign-in">Sign in</TextLink>
    </p>
  </>
))
