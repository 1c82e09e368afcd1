import { z } from 'zod'

/** Schemas for input that most modules have. A form and the HTTP API share them. */

const tooLong = (max: number) => `Use at most ${max.toLocaleString('en-US')} characters.`

/** One line of text. `required` is shown if it is empty. */
export function lineField(required: string, max = 200) {
  return z
    .string(required)
    .trim()
    .min(1, required)
    .max(max, tooLong(max))
    .regex(/^\P{Cc}*$/u, 'Remove line breaks and control characters.')
}

/** Text of several lines. Browsers send CRLF; LF is stored. */
export function textField(required: string, max = 10_000) {
  return z
    .string(required)
    .transform((text) => text.replaceAll('\r\n', '\n'))
    .pipe(z.string().regex(/\S/, required).max(max, tooLong(max)))
}

/** A 32-bit integer, as in PostgreSQL. */
export function integerField(required: string) {
  const outOfRange = 'Enter a number between -2,147,483,648 and 2,147,483,647.'
  return z
    .int(required)
    .min(-(2 ** 31), outOfRange)
    .max(2 ** 31 - 1, outOfRange)
}

/** An exact decimal number, as text: a JavaScript number would round it. */
export function decimalField(required: string) {
  return z
    .string(required)
    .trim()
    .regex(/^-?\d{1,15}(\.\d{1,10})?$/, required)
}

/** An `http:` or `https:` URL. Any other scheme, such as `javascript:`, is unsafe in a link. */
export function urlField(required: string) {
  return z.url({ protocol: /^https?$/, error: required }).max(2000, tooLong(2000))
}

/** A point in time. Without an offset, as a browser's form sends it, it is in UTC. */
export function dateTimeField(required: string) {
  return z.iso
    .datetime({ offset: true, local: true, error: required })
    .transform((text) => new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`))
}

/** The version that an edit started from. */
export const versionField = z.int().min(1)

/** A form sends an empty string if nothing was typed. */
export const searchField = z
  .string()
  .trim()
  .max(200, tooLong(200))
  .regex(/^\P{Cc}*$/u, 'Remove line breaks and control characters.')
  .transform((text) => (text === '' ? undefined : text))

export const pageSize = { min: 1, max: 100, default: 25 }

/** A URL or form sends text; a call of the action may pass a number. */
export const limitField = z
  .union([z.int(), z.string().regex(/^\d{1,3}$/)])
  .transform(Number)
  .pipe(z.int().min(pageSize.min).max(pageSize.max))
