import { z } from 'zod'

/** `?done=` in the query of a page: one of the messages of its `FlashNotice`. */
export function doneField<Done extends string>(messages: Readonly<Record<Done, string>>) {
  return z.enum(Object.keys(messages) as Done[]).optional()
}
