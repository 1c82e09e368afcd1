import type { Metadata } from 'next'
import { publicPage } from 'plinth/guard/page'
import { ButtonLink } from '@/ui/button'
import { StatusPage } from '../error'

export const metadata: Metadata = { title: 'Temporarily unavailable', robots: { index: false } }

/**
 * The server shows it at the requested URL while the database is unavailable, after a form without
 * JavaScript with what was typed in the last element. React leaves the content of that one alone.
 */
export default publicPage({ path: '/unavailable' }, () => (
  <StatusPage
    label="503"
    title="The service is temporarily unavailable."
    actions={
      <>
        {/* The URL at which it is shown. */}
        <ButtonLink href="">Try again</ButtonLink>
        <ButtonLink href="/" variant="secondary">
          Go to the home page
        </ButtonLink>
      </>
    }
  >
    <p>No data is lost, and your session is not affected. Try again in a moment.</p>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
    <div dangerouslySetInnerHTML={{ __html: '<!--typed-->' }} />
  </StatusPage>
))
