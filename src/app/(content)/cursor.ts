import { z } from 'zod'
import { defineCursor, timestampKey } from '@/core/db/list/cursor'

export const { cursorField, encodeCursor } = defineCursor(
  z.object({ key: timestampKey, id: z.uuid() }),
)
