import { z } from 'zod'
import { mail } from '#mail/mail'
import { button, message, paragraph, smallPrint } from '@/mail/message'

/** The mail of a module, as in docs/modules.md. */
export const bookmarkShared = mail(
  { purpose: 'bookmarks.shared', data: z.object({ bookmarkId: z.uuid() }) },
  async ({ email, data, origin }) =>
    message(email, {
      subject: 'A bookmark was shared with you',
      preview: 'Open the bookmark.',
      parts: [
        paragraph('You can open it now.'),
        button(`${origin}/bookmarks/${data.bookmarkId}`, 'Open bookmark'),
        smallPrint('You get this email because you have an account.'),
      ],
    }),
)

export const bookmarksModule = { id: 'bookmarks', mail: [bookmarkShared] }
