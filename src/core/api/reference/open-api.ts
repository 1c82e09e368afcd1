/** The parts of the OpenAPI document that the reference shows. */
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
