import type { Metadata } from 'next'
import { ButtonLink } from '@/core/ui/button'
import { PageMessage } from '@/core/ui/page-message'
import { Shell } from '@/core/ui/shell'

export const metadata: Metadata = { title: 'Not allowed' }

export default function Forbidden() {
  return (
    <Shell>
      <PageMessage
        label="403"
        title="This is not for your role."
        actions={<ButtonLink href="/">Go to the start</ButtonLink>}
      >
        <p>Somebody with the role admin can give you another one.</p>
      </PageMessage>
    </Shell>
  )
}
