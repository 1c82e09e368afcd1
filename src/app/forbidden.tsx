import type { Metadata } from 'next'
import { StatusPage } from './error'

export const metadata: Metadata = { title: 'Access denied' }

export default function Forbidden() {
  // Next sends no markup for this page, so the text must be in the payload and not in a script.
  return (
    <StatusPage label="403" title="You do not have access to this page.">
      Your role does not allow it. If you need access, ask an admin to change your role.
    </StatusPage>
  )
}
