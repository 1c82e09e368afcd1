import 'server-only'
import { notFound } from 'next/navigation'
import type { z } from 'zod'
import type { Fields } from '@/core/guard/known-pages'
import { checkFields } from '@/core/http/check-fields'

/** What is not of this shape has no page. */
export function known(schema: z.ZodType, params: Fields): unknown {
  const checked = checkFields(schema, params)
  if (checked.errors) notFound()
  return checked.data
}

/** Field by field: one that is wrong must not lose the others. */
export function asFarAsKnown(schema: z.ZodType, query: Fields): unknown {
  const checked = checkFields(schema, query)
  if (!checked.errors) return checked.data
  const wrong = new Set(checked.errors.map(({ field }) => field.split('.')[0]))
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !wrong.has(name)))
  const again = checkFields(schema, rest)
  return again.errors ? schema.parse({}) : again.data
}
