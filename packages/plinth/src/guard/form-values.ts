import type { z } from 'zod'

/** Without the fields of Next. If a form has a field more than once, the last one counts. */
export function sentFields(form: FormData): Fields {
  return Object.fromEntries([...form].filter(([name]) => !name.startsWith('$ACTION')))
}

type Fields = Record<string, unknown>

/**
 * A form sends text only. Reads it as the schema declares, so that a form and the HTTP API share one
 * schema: a number, a checkbox, an empty optional field.
 */
export function readFormValues(schema: z.ZodObject, form: FormData): Fields {
  const sent = sentFields(form)
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
