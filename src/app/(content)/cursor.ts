import { z } from 'zod'
import { defineCursor, timestampKey } from '@/core/db/list'

export const { cursorField, encodeCursor } = defineCursor(
  z.object({ key: timestampKey, id: z.uuid() }),
)
