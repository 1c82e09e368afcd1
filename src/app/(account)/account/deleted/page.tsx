import type { Metadata } from 'next'
import { publicPage } from 'plinth/guard/page'
import { StaticPageLayout } from '@/app/static-page-layout'
import { ButtonLink } from '@/ui/button'
import { PageMessage } from '@/ui/status-page'

export const metadata: Metadata = { title: 'Account deleted', robots: { index: false } }

export default publicPage({ path: '/account/deleted' }, () => (
  <StaticPageLayout>
    <PageMessage
      label="Done"
      title="Your account was deleted."
      actions={<ButtonLink href="/">Go to the home page</ButtonLink>}
    >
      <p>You were signed out on all devices.</p>
      <p className="mt-3">
        If your sign-in was changed in the last days, we sent you an email with a link that brings
        the account back. When the link ends, all data is erased.
      </p>
    </PageMessage>
  </StaticPageLayout>
))
