import { z } from 'zod'
import { cookieNames } from '#auth/sessions/cookie'
import { appConfig } from '#config/app-config'
import { anyone, isSignedIn } from '#guard/policy'
import type { Declaration, ResponseDeclaration, Route } from '#guard/route'
import { type ProblemCode, problemBody, problems } from '#http/problems'
import type { Scope } from '#http/scope'
import { type Role, roles } from '#universal/users'

/** OpenAPI 3.1, generated from the declarations of the routes. */
export function openApiDocument(routes: readonly Route[], authUrl: string) {
  const { name, source } = appConfig()
  const schemas = collectSchemas()
  schemas.add(problemSchema, 'output')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { declaration } of routes) {
    const path = pathOf(declaration.path)
    paths[path] = { ...paths[path], [declaration.method]: describeOperation(declaration, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: name,
      version: '1',
      description:
        'Errors are problems as in RFC 9457; `code` is stable. A live bearer token wins over the session cookie. State-changing requests that are authenticated by the cookie must be same-origin.',
    },
    ...(source ? { externalDocs: { description: 'Source code', url: source } } : {}),
    tags: tagsOf(routes),
    paths,
    components: {
      schemas: schemas.all(),
      headers: {
        RequestId: { description: 'The request id, also in the log.', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait.', schema: { type: 'string' } },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `token` that signing in with `transport: "bearer"` returns.',
        },
        cookie: { type: 'apiKey', in: 'cookie', name: cookieNames(authUrl).session },
      },
    },
  }
}

/** `/things/:id` becomes `/api/things/{id}`. */
function pathOf(path: string): string {
  return `/api${path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`
}

function tagsOf(routes: readonly Route[]): { name: string }[] {
  const names = new Set(routes.map(({ declaration }) => tagOf(declaration)))
  return [...names].map((name) => ({ name }))
}

const problemSchema = z
  .strictObject({
    type: z.string().describe('The URL of a description of this problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]).describe('Stable.'),
    requestId: z.string().describe('Also in the header X-Request-Id and in the log.'),
    errors: z
      .array(z.strictObject({ field: z.string(), message: z.string() }))
      .optional()
      .describe('The invalid fields.'),
    url: z.string().optional().describe('For Auth.js’s client: the sign-in page with the error.'),
    challenge: z.string().optional().describe('With `second_factor_required`: the sign-in.'),
    methods: z.array(z.string()).optional().describe('What completes that sign-in.'),
    change: z.string().optional().describe('With `proof_required`: what has to be proved.'),
  })
  .meta({ id: 'Problem' })

function describeOperation(declaration: Declaration, schemas: Schemas) {
  const { name, summary, description, input = {} } = declaration
  return {
    operationId: name,
    summary,
    ...(description ? { description } : {}),
    tags: [tagOf(declaration)],
    security: securityOf(declaration),
    ...rolesOf(declaration),
    ...parametersOf(declaration, schemas),
    ...(input.body ? { requestBody: requestBody(input.body, input, schemas) } : {}),
    responses: { ...responsesOf(declaration, schemas), ...problemsOf(declaration) },
  }
}

/** The first segment of the path. */
function tagOf({ path }: Declaration): string {
  return path.split(/[/.]/)[1] ?? ''
}

function securityOf({ authorize, readsSession }: Declaration) {
  const schemes = [{ bearer: [] }, { cookie: [] }]
  if (authorize !== anyone) return schemes
  return readsSession ? [{}, ...schemes] : []
}

/** Policies are rules about the session, so asking them tells which roles they allow. */
function rolesOf({ authorize }: Declaration) {
  if (authorize === anyone) return {}
  return { 'x-roles': roles.filter((role) => authorize(scopeWith(role))) }
}

function scopeWith(role: Role): Scope {
  const at = new Date()
  const user = { id: '', email: '', name: '', role }
  const session = { id: '', user, createdAt: at, expiresAt: at, authenticatedAt: at }
  return {
    session: { ...session, authenticatedBy: 'password' },
    bearer: false,
    ip: '',
    requestId: '',
  }
}

function parametersOf({ input = {} }: Declaration, schemas: Schemas) {
  const parameters = [
    ...fieldsOf(input.params, schemas).map((field) => ({ ...field, in: 'path', required: true })),
    ...fieldsOf(input.query, schemas).map((field) => ({ ...field, in: 'query' })),
  ]
  return parameters.length > 0 ? { parameters } : {}
}

type ObjectSchema = { properties?: Record<string, object>; required?: string[] }

function fieldsOf(schema: z.ZodType | undefined, schemas: Schemas) {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.add(schema, 'input') as ObjectSchema
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    schema: field,
  }))
}

function requestBody(
  body: z.ZodType,
  { forms, optional, example, mediaTypes = [] }: NonNullable<Declaration['input']>,
  schemas: Schemas,
) {
  const media = { schema: schemas.add(body, 'input'), ...(example ? { example } : {}) }
  return {
    required: !optional,
    content: {
      'application/json': media,
      ...Object.fromEntries(mediaTypes.map((type) => [type, media])),
      ...(forms ? { 'application/x-www-form-urlencoded': media } : {}),
    },
  }
}

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const fileNameHeader = {
  'Content-Disposition': { description: 'The file name.', schema: { type: 'string' } },
}

function responsesOf({ responses, download }: Declaration, schemas: Schemas) {
  const described = Object.entries(responses).map(([status, response]) => [
    status,
    {
      description: response.description,
      headers: {
        ...requestIdHeader,
        ...(download ? fileNameHeader : {}),
        ...headersOf(response),
      },
      ...contentOf(response, schemas),
    },
  ])
  return Object.fromEntries(described)
}

function headersOf({ headers = {} }: ResponseDeclaration) {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return Object.fromEntries(entries)
}

function contentOf({ body, type = 'application/json' }: ResponseDeclaration, schemas: Schemas) {
  return body ? { content: { [type]: { schema: schemas.add(body, 'output') } } } : {}
}

/** Grouped by status, with an example for each code. */
function problemsOf(declaration: Declaration) {
  const codes = [...new Set([...commonProblems, ...impliedProblems(declaration)])]
  const statuses = [...new Set(codes.map((code) => problems[code][0]))]
  const described = statuses.map((status) => {
    const ofStatus = codes.filter((code) => problems[code][0] === status)
    return [
      String(status),
      {
        description: ofStatus.map((code) => `\`${code}\`: ${problems[code][2]}`).join(' '),
        headers: { ...requestIdHeader, ...(retryStatuses.has(status) ? retryAfter : {}) },
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              ofStatus.map((code) => [code, { value: problemBody(code, 'a-request-id') }]),
            ),
          },
        },
      },
    ]
  })
  return Object.fromEntries(described)
}

const retryStatuses = new Set([429, 503])

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

const commonProblems: ProblemCode[] = ['bad_request', 'internal', 'database_unreachable']

/** Problems that follow from the rest of the declaration. */
function impliedProblems(declaration: Declaration): ProblemCode[] {
  const { method, authorize, input = {}, problems: own = [] } = declaration
  const { rateLimit, recentSignIn, download } = declaration
  return [
    ...own,
    ...codes(method !== 'get', 'cross_origin', 'body_too_large'),
    ...codes(input.body, 'malformed_json', 'unsupported_media_type', 'validation_failed'),
    ...codes(input.query, 'validation_failed'),
    ...codes(input.params, 'not_found'),
    ...codes(authorize !== anyone, 'unauthenticated'),
    ...codes(authorize !== anyone && authorize !== isSignedIn, 'forbidden'),
    ...codes(recentSignIn, 'reauthentication_required'),
    ...codes(rateLimit, 'rate_limited'),
    ...codes(download, 'download_refused'),
  ]
}

function codes(applies: unknown, ...list: ProblemCode[]): ProblemCode[] {
  return applies ? list : []
}

type JsonSchema = Record<string, unknown>

type Schemas = {
  /** Returns JSON Schema; named schemas become references. */
  add(schema: z.ZodType, side: 'input' | 'output'): JsonSchema
  all(): Record<string, JsonSchema>
}

/** Collects named schemas (`.meta({ id })`) as components; all others are inlined. */
function collectSchemas(): Schemas {
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
