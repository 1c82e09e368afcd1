import { nameOf, type OpenApi, type Schema } from './open-api'

type Schemas = OpenApi['components']['schemas']

/** A value that the schema allows, for reading: patterns are not followed. */
export function exampleOf(schema: Schema, schemas: Schemas, path: readonly string[] = []): unknown {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    const named = schemas[name]
    return named && !path.includes(name) ? exampleOf(named, schemas, [...path, name]) : {}
  }
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return exampleOf(choice, schemas, path)
  if (schema.allOf) return mergeExamples(schema.allOf, schemas, path)
  const [type] = [schema.type ?? (schema.properties ? 'object' : 'null')].flat()
  if (type === 'object') return objectExample(schema, schemas, path)
  if (type === 'array') return schema.items ? [exampleOf(schema.items, schemas, path)] : []
  if (type === 'string') return textExample(schema)
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  return type === 'boolean' ? true : null
}

function objectExample({ properties = {} }: Schema, schemas: Schemas, path: readonly string[]) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, exampleOf(field, schemas, path)]),
  )
}

function mergeExamples(parts: readonly Schema[], schemas: Schemas, path: readonly string[]) {
  return Object.assign({}, ...parts.map((part) => exampleOf(part, schemas, path)))
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  uuid: '3f2b8c1e-5d47-4a90-9c1e-7b0a4d2e6f18',
}

function textExample({ format = '' }: Schema): string {
  return formats[format] ?? '…'
}
