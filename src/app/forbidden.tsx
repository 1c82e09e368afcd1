import type { Metadata } from 'next'
import { StaticPageShell } from '@/core/shell/static-page-shell'
import { ButtonLink } from '@/core/ui/button'
import { PageMessage } from '@/core/ui/page-message'

export const metadata: Metadata = { title: 'Not allowed' }

export default function Forbidden() {
  return (
    <StaticPageShell>
      <PageMessage
        label="403"
        title="This is not for your role."
        actions={<ButtonLink href="/">Go to the start</ButtonLink>}
      >
        <p>Somebody with the role admin can give you another one.</p>
      </PageMessage>
    </StaticPageShell>
  )
}
