import { defineCursor, timestampKey } from 'plinth/db/list'
import { z } from 'zod'

export const { cursorField, encodeCursor } = defineCursor(
  z.object({ key: timestampKey, id: z.uuid() }),
)
