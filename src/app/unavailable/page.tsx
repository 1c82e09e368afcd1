import type { Metadata } from 'next'
import { publicPage } from '@/core/guard/page'
import { ButtonLink } from '@/core/ui/button'
import { MessagePage } from '../error'

export const metadata: Metadata = { title: 'Not available now', robots: { index: false } }

/** The host shows it at the address that was asked for, while the database is away. */
export default publicPage({ path: '/unavailable' }, () => (
  <MessagePage
    label="503"
    title="We cannot reach our data right now."
    actions={
      <>
        {/* To the address it is shown at. */}
        <ButtonLink href="">Try again</ButtonLink>
        <ButtonLink href="/" variant="secondary">
          Go to the start
        </ButtonLink>
      </>
    }
  >
    <p>Nothing is lost, and nobody is signed out. It is usually over in a moment.</p>
  </MessagePage>
))
