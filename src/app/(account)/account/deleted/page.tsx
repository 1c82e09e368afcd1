import type { Metadata } from 'next'
import { publicPage } from '@/core/guard/page'
import { StaticPageShell } from '@/core/shell/static-page-shell'
import { ButtonLink } from '@/core/ui/button'
import { PageMessage } from '@/core/ui/page-message'

export const metadata: Metadata = { title: 'Account deleted' }

export default publicPage({ path: '/account/deleted' }, () => (
  <StaticPageShell>
    <PageMessage
      label="Done"
      title="Your account is deleted."
      actions={<ButtonLink href="/">Go to the start</ButtonLink>}
    >
      <p>You are signed out everywhere, and nobody can sign in to it any more.</p>
    </PageMessage>
  </StaticPageShell>
))
