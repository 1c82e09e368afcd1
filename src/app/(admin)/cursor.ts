import { defineCursor, textKey, timestampKey } from 'plinth/db/list'
import { z } from 'zod'

/** Carries the sort order, because the key depends on it. */
export const { cursorField, encodeCursor } = defineCursor(
  z.union([
    z.object({ sort: z.enum(['newest', 'oldest']), key: timestampKey, id: z.uuid() }),
    z.object({
      sort: z.enum(['name', 'name_desc', 'email', 'email_desc']),
      key: textKey,
      id: z.uuid(),
    }),
  ]),
)

export type UserCursor = z.output<typeof cursorField>
