/** The parts of the OpenAPI document that a reference shows. */
export type OpenApi = {
  info: { title: string; description: string }
  tags: readonly { name: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    headers: Readonly<Record<string, Header>>
    securitySchemes: { cookie: { name: string } }
  }
}

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security: readonly object[]
  'x-roles'?: readonly string[]
  parameters?: readonly Parameter[]
  requestBody?: { required: boolean; content: Readonly<Record<string, Media>> }
  responses: Readonly<Record<string, Response>>
}

export type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }

export type Response = {
  description: string
  headers?: Readonly<Record<string, Header>>
  content?: Readonly<Record<string, Media>>
}

type Header = { $ref?: string; description?: string }

type Media = {
  schema: Schema
  example?: unknown
  examples?: Readonly<Record<string, { value: { detail: string } }>>
}

export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

/** An operation with its place in the document. */
export type ListedOperation = Operation & { method: string; path: string }

/** In the order of the document. */
export function operationsByTag({ tags, paths }: OpenApi) {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): ListedOperation => {
      return { ...operation, method, path }
    }),
  )
  return tags.map(({ name }) => ({
    name,
    operations: all.filter((operation) => operation.tags.includes(name)),
  }))
}

/** Stable: links to it stay valid while the operation keeps its name. */
export function anchorOf({ operationId }: Operation): string {
  return `operation-${operationId}`
}

export function changesData({ method }: ListedOperation): boolean {
  return method !== 'get'
}

export function needsSession({ security }: Operation): boolean {
  return security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0)
}

/** `#/components/schemas/Session` is `Session`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** `string (email)`, `array of User`, `integer or null`. */
export function typeText(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeText))].join(' or ')
  if (schema.allOf) return [...new Set(schema.allOf.map(typeText))].join(' and ')
  const types = [schema.type ?? (schema.properties ? 'object' : 'any value')].flat()
  const format = schema.format ? ` (${schema.format})` : ''
  return types
    .map((type) => nameOfType(type, schema) + (type === 'null' ? '' : format))
    .join(' or ')
}

function nameOfType(type: string, { items, additionalProperties }: Schema): string {
  if (type === 'array') return items ? `array of ${typeText(items)}` : 'array'
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `object of ${typeText(additionalProperties)}`
  }
  return type
}

/** The constraints on a value besides its type. */
export function limitsText(schema: Schema): string {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(safe(minimum), safe(maximum), ''),
    // A format says the same as its pattern, and can be read.
    schema.pattern && !schema.format ? `matches ${schema.pattern}` : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const text =
    min !== undefined && max !== undefined
      ? `${min} to ${max}`
      : min !== undefined
        ? `at least ${min}`
        : max !== undefined
          ? `at most ${max}`
          : ''
  return text && unit ? `${text} ${unit}` : text
}

/** Every integer is within the safe ones. */
function safe(limit: number | undefined): number | undefined {
  return limit !== undefined && Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit
}
