import { redirect } from 'next/navigation'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { urlWith } from '@/core/universal/url'

const query = z.object({ token: z.string().max(100).optional() })

/** Links in mail that an earlier version has sent. */
export default page(
  { path: '/account/email/undo', name: 'view_undo_email', authorize: anyone, query },
  ({ query: { token } }) => redirect(urlWith('/recover', { token })),
)
