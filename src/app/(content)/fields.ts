import { z } from 'zod'
import { lineField } from '@/core/http/fields'

export const titleField = lineField('Enter a title.')

export const bodyField = z
  .string()
  // Browsers send CRLF; LF is stored.
  .transform((text) => text.replaceAll('\r\n', '\n'))
  .pipe(z.string().max(50_000, 'Use at most 50,000 characters.'))

export const articleId = z.uuid()
