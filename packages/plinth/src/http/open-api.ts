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
