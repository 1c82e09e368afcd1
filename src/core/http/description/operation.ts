import type { z } from 'zod'
import { anyone, isSignedIn } from '@/core/guard/policy'
import type { Answer, Declaration } from '@/core/guard/route'
import { problemBody } from '@/core/http/problem'
import { type ProblemCode, problems } from '@/core/http/problems'
import type { Schemas } from './schemas'

export function describeOperation(declaration: Declaration, schemas: Schemas) {
  const { name, summary, description, takes = {} } = declaration
  return {
    operationId: name,
    summary,
    ...(description ? { description } : {}),
    tags: [tagOf(declaration)],
    security: securityOf(declaration),
    ...parametersOf(declaration, schemas),
    ...(takes.body ? { requestBody: requestBody(takes.body, takes, schemas) } : {}),
    responses: { ...answersOf(declaration, schemas), ...problemsOf(declaration) },
  }
}

/** The first part of its path. */
export function tagOf({ path }: Declaration): string {
  return path.split(/[/.]/)[1] ?? ''
}

function securityOf({ who, asksWho }: Declaration) {
  const known = [{ bearer: [] }, { cookie: [] }]
  if (who !== anyone) return known
  return asksWho ? [{}, ...known] : []
}

function parametersOf({ takes = {} }: Declaration, schemas: Schemas) {
  const parameters = [
    ...fieldsOf(takes.params, schemas).map((field) => ({ ...field, in: 'path', required: true })),
    ...fieldsOf(takes.query, schemas).map((field) => ({ ...field, in: 'query' })),
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
  { forms, optional, example }: NonNullable<Declaration['takes']>,
  schemas: Schemas,
) {
  const media = { schema: schemas.add(body, 'input'), ...(example ? { example } : {}) }
  return {
    required: !optional,
    content: {
      'application/json': media,
      ...(forms ? { 'application/x-www-form-urlencoded': media } : {}),
    },
  }
}

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

function answersOf({ answers }: Declaration, schemas: Schemas) {
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: { ...requestIdHeader, ...headersOf(answer) },
      ...contentOf(answer, schemas),
    },
  ])
  return Object.fromEntries(described)
}

function headersOf({ headers = {} }: Answer) {
  const entries = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return Object.fromEntries(entries)
}

function contentOf({ body, type = 'application/json' }: Answer, schemas: Schemas) {
  return body ? { content: { [type]: { schema: schemas.add(body, 'output') } } } : {}
}

/** By status, since that is how they are answered; each code with an example. */
function problemsOf(declaration: Declaration) {
  const codes = [...new Set([...everyRoute, ...impliedProblems(declaration)])]
  const statuses = [...new Set(codes.map((code) => problems[code][0]))]
  const described = statuses.map((status) => {
    const ofStatus = codes.filter((code) => problems[code][0] === status)
    return [
      String(status),
      {
        description: ofStatus.map((code) => `\`${code}\`: ${problems[code][2]}`).join(' '),
        headers: { ...requestIdHeader, ...(waiting.has(status) ? retryAfter : {}) },
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

const waiting = new Set([429, 503])

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

const everyRoute: ProblemCode[] = ['bad_request', 'internal', 'database_unreachable']

/** What follows from the rest of the declaration, so that nobody has to list it. */
function impliedProblems(declaration: Declaration): ProblemCode[] {
  const { method, who, takes = {}, limit, problems: own = [] } = declaration
  return [
    ...own,
    ...codes(method !== 'get', 'cross_origin', 'body_too_large'),
    ...codes(takes.body, 'malformed_json', 'unsupported_media_type', 'validation_failed'),
    ...codes(takes.query, 'validation_failed'),
    ...codes(takes.params, 'not_found'),
    ...codes(who !== anyone, 'unauthenticated'),
    ...codes(who !== anyone && who !== isSignedIn, 'forbidden'),
    ...codes(limit, 'rate_limited'),
  ]
}

function codes(applies: unknown, ...list: ProblemCode[]): ProblemCode[] {
  return applies ? list : []
}
