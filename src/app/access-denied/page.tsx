import type { Metadata } from 'next'
import { publicPage } from 'plinth/guard/page'
import { StatusPage } from '../error'

export const metadata: Metadata = { title: 'Access denied', robots: { index: false } }

/** The server shows it at the URL of a page that the caller may not open. */
export default publicPage({ path: '/access-denied' }, () => (
  <StatusPage label="403" title="You do not have access to this page.">
    Your role does not allow it. If you need access, ask an admin to change your role.
  </StatusPage>
))
