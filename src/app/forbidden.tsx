import type { Metadata } from 'next'
import { MessagePage } from './error'

export const metadata: Metadata = { title: 'Not allowed' }

export default function Forbidden() {
  return (
    <MessagePage label="403" title="This is not for your role.">
      Somebody with the role admin can give you another one.
    </MessagePage>
  )
}
