import { z } from 'zod'

export const titleField = z
  .string()
  .trim()
  .min(1, 'Give it a title.')
  .max(200, 'At most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'A title is one line of text.')

export const bodyField = z
  .string()
  // A form sends the line ends of its operating system's custom; one kind is stored.
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .pipe(z.string().max(50_000, 'At most 50,000 characters.'))

export const articleId = z.uuid()

/** As a form has it: the count of the version that somebody started from. */
export const versionField = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
