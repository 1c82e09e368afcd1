import { z } from 'zod'
import { cursorField } from './cursor'
import { limitField, nothingChosen, pageSize, roleField, searchField, sorts } from './fields'

/** What a list of people can be asked for, by the page, the action and the interface alike. */
export const usersQuery = z
  .object({
    query: searchField.optional(),
    role: z.union([nothingChosen, roleField]).optional(),
    sort: z.enum(sorts).default('newest'),
    cursor: cursorField.optional(),
    limit: limitField.default(pageSize.usual),
  })
  .refine(({ cursor, sort }) => !cursor || cursor.sort === sort, {
    path: ['cursor'],
    message: 'This cursor belongs to another order.',
  })

export type UsersQuery = z.output<typeof usersQuery>
