import 'server-only'
import { notFound } from 'next/navigation'
import type { z } from 'zod'
import { validateInput } from '@/core/http/input'
import type { Fields } from '@/core/http/request-context'

/** Invalid parameters are a 404. */
export function parseParams(schema: z.ZodType, params: Fields): unknown {
  const result = validateInput(schema, params)
  if (result.errors) notFound()
  return result.data
}

/** Invalid fields are dropped one by one, so that the valid ones stay. */
export function parseQuery(schema: z.ZodType, query: Fields): unknown {
  const result = validateInput(schema, query)
  if (!result.errors) return result.data
  const invalid = new Set(result.errors.map(({ field }) => field.split('.')[0]))
  const rest = Object.fromEntries(Object.entries(query).filter(([name]) => !invalid.has(name)))
  const retried = validateInput(schema, rest)
  return retried.errors ? schema.parse({}) : retried.data
}
