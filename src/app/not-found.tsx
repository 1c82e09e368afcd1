import type { Metadata } from 'next'
import { StatusPage } from './error'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <StatusPage label="404" title="Page not found.">
      Check the URL for mistakes. The page may have been moved or deleted.
    </StatusPage>
  )
}
