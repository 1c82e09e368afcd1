import 'server-only'
import type { z } from 'zod'
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

type Fields = Record<string, unknown>

/**
 * A form sends text only. Reads it as the schema declares, so that a form and the HTTP API share one
 * schema: a number, a checkbox, an empty optional field.
 */
export function readFormValues(schema: z.ZodObject, form: FormData): Fields {
  // If a form has a field more than once, the last one counts, unless the schema is an array.
  const sent = Object.fromEntries([...form].filter(([name]) => !name.startsWith('$ACTION')))
  const declared = Object.entries(schema.shape).map(([name, field]) => {
    const description = unwrap(field as z.core.$ZodType)
    const value = description.type === 'array' ? form.getAll(name) : sent[name]
    return [name, readValue(description, value)]
  })
  return { ...sent, ...Object.fromEntries(declared.filter(([, value]) => value !== undefined)) }
}

type Description = { type: string; nullable: boolean }

function readValue({ type, nullable }: Description, value: unknown): unknown {
  if (type === 'boolean') return readCheckbox(value)
  if (value === '' && nullable) return null
  if (type === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())) {
    return Number(value)
  }
  return value
}

function readCheckbox(value: unknown): unknown {
  if (value === undefined || value === 'off') return false
  return value === 'on' ? true : value
}

/** The type inside `.optional()`, `.nullable()`, `.default()` and the input of a `.pipe()`. */
function unwrap(schema: z.core.$ZodType, nullable = false): Description {
  const { def } = schema._zod
  if ('innerType' in def) {
    return unwrap(def.innerType as z.core.$ZodType, nullable || def.type === 'nullable')
  }
  if (def.type === 'pipe' && 'in' in def) return unwrap(def.in as z.core.$ZodType, nullable)
  return { type: def.type, nullable }
}
