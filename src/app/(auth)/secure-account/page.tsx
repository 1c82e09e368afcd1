import { redirect } from 'next/navigation'
import { z } from 'zod'
import { page } from '@/core/guard/page'
import { anyone } from '@/core/guard/policy'
import { urlWith } from '@/core/universal/url'

const query = z.object({ token: z.string().max(100).optional() })

/** Links in mail that an earlier version has sent. */
export default page(
  { path: '/secure-account', name: 'view_secure_account', authorize: anyone, query },
  ({ query: { token } }) => redirect(urlWith('/recover', { token })),
)
