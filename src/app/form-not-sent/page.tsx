import type { Metadata } from 'next'
import { publicPage } from 'plinth/guard/page'
import { ButtonLink } from '@/ui/button'
import { StatusPage } from '../error'

export const metadata: Metadata = { title: 'Form not sent', robots: { index: false } }

/**
 * The server shows it at the URL of a form whose action this build does not have, with the typed text
 * in the last element. React leaves the content of that one alone.
 */
export default publicPage({ path: '/form-not-sent' }, () => (
  <StatusPage
    label="Not sent"
    title="The app was updated."
    actions={
      // At the URL at which it is shown. The text stays in this tab.
      <ButtonLink href="" target="_blank" rel="noopener">
        Open the page in a new tab
      </ButtonLink>
    }
  >
    <p>Your form was not sent. Open the page again, check the form and send it again.</p>
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
    <div dangerouslySetInnerHTML={{ __html: '<!--typed-->' }} />
  </StatusPage>
))
