import type { Metadata } from 'next'
import { MessagePage } from './error'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <MessagePage label="404" title="There is no page here.">
      The address may be mistyped, or the page may have moved.
    </MessagePage>
  )
}
