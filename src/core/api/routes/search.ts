import { z } from 'zod'
import { isSignedIn } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { searchFor } from '@/core/layout/installed-modules'

const result = z.strictObject({
  href: z.string(),
  label: z.string(),
  detail: z.string().optional(),
})

export const searchRoutes = [
  route(
    {
      method: 'get',
      path: '/search',
      name: 'search',
      summary: 'Search pages and records',
      description: 'What the command palette shows: pages that the caller may open, and records.',
      authorize: isSignedIn,
      rateLimit: { times: 300, seconds: 60 },
      input: { query: z.object({ query: z.string().trim().max(100).default('') }) },
      responses: {
        200: {
          description: 'The results, in groups.',
          body: z.strictObject({
            groups: z.array(z.strictObject({ title: z.string(), results: z.array(result) })),
          }),
        },
      },
    },
    async ({ scope, input: { query } }) => ({ groups: await searchFor(scope, query.query) }),
  ),
]
