import { z } from 'zod'

type JsonSchema = Record<string, unknown>

export type Schemas = {
  /** The schema as JSON Schema, with those that have a name referred to and kept. */
  add(schema: z.ZodType, side: 'input' | 'output'): JsonSchema
  all(): Record<string, JsonSchema>
}

/** Schemas with a name (`.meta({ id })`) stand once in the document, all others where they are used. */
export function gatherSchemas(): Schemas {
  const named: Record<string, JsonSchema> = {}
  return {
    add(schema, side) {
      const made = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' })
      const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')
      const { $defs, $schema: _, id, ...rest } = JSON.parse(text) as JsonSchema
      for (const [name, definition] of Object.entries(
        ($defs ?? {}) as Record<string, JsonSchema>,
      )) {
        named[name] = withoutId(definition)
      }
      if (typeof id !== 'string') return rest
      named[id] = rest
      return { $ref: `#/components/schemas/${id}` }
    },
    all: () => named,
  }
}

function withoutId({ id: _, ...definition }: JsonSchema): JsonSchema {
  return definition
}
