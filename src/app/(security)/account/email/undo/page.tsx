import { redirect } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'

const query = z.object({ token: z.string().max(100).optional() })

/** Links in mail that an earlier version has sent. */
export default page(
  { path: '/account/email/undo', name: 'view_undo_email', authorize: anyone, query },
  ({ query: { token } }) => redirect(urlWith('/recover', { token })),
)
