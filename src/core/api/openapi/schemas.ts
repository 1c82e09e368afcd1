import { z } from 'zod'

type JsonSchema = Record<string, unknown>

export type Schemas = {
  /** Returns JSON Schema; named schemas become references. */
  add(schema: z.ZodType, side: 'input' | 'output'): JsonSchema
  all(): Record<string, JsonSchema>
}

/** Collects named schemas (`.meta({ id })`) as components; all others are inlined. */
export function collectSchemas(): Schemas {
  const named: Record<string, JsonSchema> = {}
  return {
    add(schema, side) {
      const jsonSchema = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' })
      const text = JSON.stringify(jsonSchema).replaceAll('"#/$defs/', '"#/components/schemas/')
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
