import { z } from 'zod'
import { themeField, timeZoneField } from '#auth/accounts/fields'
import { storePreferences } from '#auth/accounts/users'
import { auditedTransaction } from '#guard/audited-transaction'
import { isSignedIn } from '#guard/policy'
import { route } from '#guard/route'
import { Problem } from '#http/problems'
import { searchFor } from '#modules/installed-modules'
import { isActionError } from '#universal/action-result'

const name = 'save_preferences'

/** public/theme.js calls it when a signed-in user chooses a theme. */
export const preferenceRoutes = [
  route(
    {
      method: 'patch',
      path: '/preferences',
      name,
      summary: 'Change your preferences',
      description: 'Fields that are absent stay. `null` leaves the choice to the browser.',
      authorize: isSignedIn,
      rateLimit: { times: 60, seconds: 60 },
      input: {
        body: z.strictObject({
          timeZone: timeZoneField.nullable().optional(),
          theme: themeField.nullable().optional(),
        }),
        example: { theme: 'dark' },
      },
      responses: {
        200: {
          description: 'The preferences.',
          body: z.strictObject({
            timeZone: z.string().nullable(),
            theme: themeField.nullable(),
          }),
        },
      },
      problems: ['rate_limited'],
    },
    async ({ scope, input: { body } }) => {
      const { id } = scope.session.user
      const options = {
        name,
        authorize: isSignedIn,
        target: id,
        lockUsers: [],
        details: undefined,
      }
      const stored = await auditedTransaction(scope, options, (tx) =>
        storePreferences(tx, id, body),
      )
      if (isActionError(stored)) throw new Problem('unauthenticated')
      return stored
    },
  ),
]

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
