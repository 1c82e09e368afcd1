import 'server-only'
import type { z } from 'zod'
import { checkFields } from '@/core/http/check-fields'

/** A schema as the action library wants it, that also takes a form and speaks in our words. */
export function formSchema<Input extends z.ZodObject>(takes: Input) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'plinth',
      validate(given: unknown) {
        const checked = checkFields(takes, fieldsOf(given))
        if (!checked.errors) return { value: checked.data }
        const issues = checked.errors.map(({ field, message }) => ({
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
