import { lineField } from 'plinth/http/fields'
import { z } from 'zod'

export const titleField = lineField('Enter a title.')

/** In characters, as JavaScript counts them. */
export const maxBodyLength = 50_000

export const bodyField = z
  .string()
  // Browsers send CRLF; LF is stored.
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .pipe(z.string().max(maxBodyLength, 'Use at most 50,000 characters.'))

export const articleId = z.uuid()

/** Undo of unpublishing: the article gets the date back that it was published at. */
export const restoreField = z.boolean().optional()

/** Show the article as it would look, and save nothing. */
export const previewField = z.boolean().optional()
