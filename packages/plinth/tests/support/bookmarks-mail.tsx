import { z } from 'zod'
import { mail } from '#mail/mail'
import {
  LinkButton,
  MessageLayout,
  Paragraph,
  renderMessage,
  SmallPrint,
} from '@/mail/message-layout'

/** The mail of a module, as in docs/modules.md. */
export const bookmarkShared = mail(
  { purpose: 'bookmarks.shared', data: z.object({ bookmarkId: z.uuid() }) },
  async ({ email, data, origin }) =>
    renderMessage(
      email,
      'A bookmark was shared with you',
      <MessageLayout preview="Open the bookmark." title="A bookmark was shared with you">
        <Paragraph>You can open it now.</Paragraph>
        <LinkButton href={`${origin}/bookmarks/${data.bookmarkId}`}>Open bookmark</LinkButton>
        <SmallPrint>You get this email because you have an account.</SmallPrint>
      </MessageLayout>,
    ),
)

export const bookmarksModule = { id: 'bookmarks', mail: [bookmarkShared] }
