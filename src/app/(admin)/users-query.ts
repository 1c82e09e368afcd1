import { limitField, pageSize, searchField } from 'plinth/http/fields'
import { z } from 'zod'
import { cursorField } from './cursor'
import { emptyChoice, roleField, sorts } from './fields'

/** Which users, and in which order. */
export const userFilter = z.object({
  query: searchField.optional(),
  role: z.union([emptyChoice, roleField]).optional(),
  sort: z.enum(sorts).default('newest'),
})

/** The options of the user list, shared by the page, the action and the API. */
export const usersQuery = userFilter
  .extend({
    cursor: cursorField.optional(),
    limit: limitField.default(pageSize.default),
  })
  .refine(({ cursor, sort }) => !cursor || cursor.sort === sort, {
    path: ['cursor'],
    message: 'This cursor belongs to a different sort order.',
  })

export type UsersQuery = z.output<typeof usersQuery>
