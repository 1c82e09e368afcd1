import { z } from 'zod'

export const titleField = z
  .string()
  .trim()
  .min(1, 'Enter a title.')
  .max(200, 'Use at most 200 characters.')
  .regex(/^\P{Cc}*$/u, 'Remove line breaks and control characters.')

export const bodyField = z
  .string()
  // Browsers send CRLF; LF is stored.
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .pipe(z.string().max(50_000, 'Use at most 50,000 characters.'))

export const articleId = z.uuid()

/** Of the version that the edit started from. */
export const versionField = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
