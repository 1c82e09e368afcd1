import 'server-only'
import type { z } from 'zod'
import { fieldErrors } from '@/core/http/field-errors'

/** A schema as the action library wants it, that also takes a form and speaks in our words. */
export function formSchema<Input extends z.ZodObject>(takes: Input) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'plinth',
      validate(given: unknown) {
        const result = takes.safeParse(fieldsOf(given), { reportInput: true })
        if (result.success) return { value: result.data as z.output<Input> }
        const issues = fieldErrors(result.error).map(({ field, message }) => ({
          message,
          path: field.split('.'),
        }))
        return { issues }
      },
    },
  }
}

export function typedFields(given: unknown, kept: readonly string[]): Record<string, string> {
  const fields = fieldsOf(given)
  if (typeof fields !== 'object' || fields === null) return {}
  const entries = Object.entries(fields).filter(
    ([name, value]) => kept.includes(name) && typeof value === 'string',
  )
  return Object.fromEntries(entries)
}

/** Of a field that stands in a form more than once, the last counts. */
function fieldsOf(given: unknown): unknown {
  if (!(given instanceof FormData)) return given
  return Object.fromEntries([...given].filter(([name]) => !name.startsWith('$ACTION')))
}
