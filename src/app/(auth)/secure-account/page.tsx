import { redirect } from 'next/navigation'
import { page } from 'plinth/guard/page'
import { anyone } from 'plinth/guard/policy'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'

const query = z.object({ token: z.string().max(100).optional() })

/** Links in mail that an earlier version has sent. */
export default page(
  { path: '/secure-account', name: 'view_secure_account', authorize: anyone, query },
  ({ query: { token } }) => redirect(urlWith('/recover', { token })),
)
