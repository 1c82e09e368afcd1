import 'server-only'
import type { z } from 'zod'
import { readFormValues } from '@/core/guard/form-values'
import { validateInput } from '@/core/http/input'

/** Adapts a schema to next-safe-action, so that it accepts a form and returns our messages. */
export function formSchema<Schema extends z.ZodObject>(schema: Schema) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'plinth',
      validate(input: unknown) {
        const result = validateInput(schema, valuesOf(schema, input))
        if (!result.errors) return { value: result.data }
        const issues = result.errors.map(({ field, message }) => ({
          message,
          path: field.split('.'),
        }))
        return { issues }
      },
    },
  }
}

function valuesOf(schema: z.ZodObject, input: unknown): unknown {
  return input instanceof FormData ? readFormValues(schema, input) : input
}

export function typedFields(input: unknown, kept: readonly string[]): Record<string, string> {
  const fields = input instanceof FormData ? Object.fromEntries(input) : input
  if (typeof fields !== 'object' || fields === null) return {}
  const entries = Object.entries(fields).filter(
    ([name, value]) => kept.includes(name) && typeof value === 'string',
  )
  return Object.fromEntries(entries)
}
