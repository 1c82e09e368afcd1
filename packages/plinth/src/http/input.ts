import type { z } from 'zod'
import type { ApiContext } from '#http/api-context'
import { fieldNames, formLimits } from '#http/body-limits'
import { type FieldError, Problem } from '#http/problems'

const formType = 'application/x-www-form-urlencoded'

type Options = { forms?: boolean; optional?: boolean; mediaTypes?: readonly string[] }

/** The validated body: JSON, also of these media types, and with `forms` also a URL-encoded form. */
export async function readBody<Schema extends z.ZodType>(
  c: ApiContext,
  schema: Schema,
  { forms = false, optional = false, mediaTypes = [] }: Options = {},
): Promise<z.output<Schema>> {
  const omitted = optional && c.req.header('content-type') === undefined
  const types = ['application/json', ...mediaTypes]
  const result = validateInput(schema, omitted ? undefined : await parseBody(c, types, forms))
  if (result.errors) throw new Problem('validation_failed', { errors: result.errors })
  return result.data
}

/** The validated fields of the path or the query. */
export function readFields<Schema extends z.ZodType>(
  fields: Record<string, string>,
  schema: Schema,
  problem: 'not_found' | 'validation_failed',
): z.output<Schema> {
  const result = validateInput(schema, fields)
  if (!result.errors) return result.data
  if (problem === 'not_found') throw new Problem('not_found')
  throw new Problem('validation_failed', { errors: result.errors })
}

/** The unvalidated fields of a form, to show them again. Empty for any other body. */
export async function formFields(c: ApiContext): Promise<Record<string, string>> {
  if (contentType(c) !== formType) return {}
  const text = await bodyText(c)
  if (!fieldNames(text)) throw new Problem('body_too_large', { detail: formLimits })
  return Object.fromEntries(new URLSearchParams(text))
}

/** Reads a body without a declared length, and stops at the limit. */
export async function readBodyUpTo(max: number, body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  const next = () => reader.read().catch(disconnected)
  for (let part = await next(); !part.done; part = await next()) {
    size += part.value.byteLength
    if (size > max) {
      // Not awaited: the client may keep sending.
      reader.cancel().catch(() => {})
      throw new Problem('body_too_large')
    }
    chunks.push(part.value)
  }
  return decode(Buffer.concat(chunks))
}

async function parseBody(
  c: ApiContext,
  jsonTypes: readonly string[],
  forms: boolean,
): Promise<unknown> {
  const type = contentType(c) ?? ''
  if (jsonTypes.includes(type)) return parseJson(await bodyText(c))
  if (forms && type === formType) return formFields(c)
  const supported = [...jsonTypes, ...(forms ? [formType] : [])].join(' or ')
  throw new Problem('unsupported_media_type', { detail: `Send the body as ${supported}.` })
}

async function bodyText(c: ApiContext): Promise<string> {
  const cached = c.get('body')
  if (cached !== undefined) return cached
  const text = decode(await c.req.arrayBuffer().catch(disconnected))
  c.set('body', text)
  return text
}

/** No fault of ours: as an error, any caller could fill the log with them. */
function disconnected(): never {
  throw new Problem('bad_request')
}

function contentType(c: ApiContext): string | undefined {
  return c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
}

/** Replacing invalid UTF-8 would store something other than what was sent. */
function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('bad_request', { detail: 'The body is not valid UTF-8.' })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('malformed_json')
  }
}

type Result<Data> = { data: Data; errors?: never } | { errors: readonly FieldError[] }

/** All input from outside passes through here. */
export function validateInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Result<z.output<Schema>> {
  const result = schema.safeParse(input, { reportInput: true })
  if (!result.success) return { errors: result.error.issues.map(toFieldError) }
  const invalid = fieldsWithNul(result.data)
  if (invalid.length === 0) return { data: result.data }
  const message = 'Remove the null character.'
  return { errors: invalid.map((field) => ({ field, message })) }
}

/** PostgreSQL cannot store this character and would fail the query. */
function fieldsWithNul(data: unknown, path: readonly string[] = []): string[] {
  if (typeof data === 'string') return data.includes('\0') ? [path.join('.')] : []
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) => fieldsWithNul(value, [...path, name]))
}

type Issue = z.core.$ZodIssue

function toFieldError(issue: Issue): FieldError {
  return { field: issue.path.join('.'), message: messageFor(issue) }
}

function messageFor(issue: Issue): string {
  if (!defaultMessage.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This field is required.' : 'This has the wrong type.'
    case 'too_small':
      return 'This is too short or too small.'
    case 'too_big':
      return 'This is too long or too large.'
    case 'unrecognized_keys':
      return 'Unknown field.'
    default:
      return 'Choose one of the listed values.'
  }
}

/** Zod's own messages; any other comes from the schema. */
const defaultMessage = /^(Invalid|Too|Unrecognized|Expected)/
