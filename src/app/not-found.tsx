import type { Metadata } from 'next'
import { StaticPageShell } from '@/core/shell/static-page-shell'
import { ButtonLink } from '@/core/ui/button'
import { PageMessage } from '@/core/ui/page-message'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <StaticPageShell>
      <PageMessage
        label="404"
        title="There is no page here."
        actions={<ButtonLink href="/">Go to the start</ButtonLink>}
      >
        <p>The address may be mistyped, or the page may have moved.</p>
      </PageMessage>
    </StaticPageShell>
  )
}
