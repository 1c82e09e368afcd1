import type { z } from 'zod'
import { checkFields } from '@/core/http/check-fields'
import type { ApiContext } from '@/core/http/context'
import { bodyText } from '@/core/http/limit-body'
import { Problem } from '@/core/http/problem'

const formType = 'application/x-www-form-urlencoded'

type Kinds = { forms?: boolean; optional?: boolean }

/** The body, checked. JSON, and where a plain HTML form may post here also its encoding. */
export async function readBody<Schema extends z.ZodType>(
  c: ApiContext,
  schema: Schema,
  { forms = false, optional = false }: Kinds = {},
): Promise<z.output<Schema>> {
  const left = optional && c.req.header('content-type') === undefined
  const given = left ? undefined : await rawBody(c, forms)
  const checked = checkFields(schema, given)
  if (checked.errors) throw new Problem('validation_failed', { errors: checked.errors })
  return checked.data
}

/** Text that came with the address: of the path or the query. */
export function readFields<Schema extends z.ZodType>(
  fields: Record<string, string>,
  schema: Schema,
  otherwise: 'not_found' | 'validation_failed',
): z.output<Schema> {
  const checked = checkFields(schema, fields)
  if (!checked.errors) return checked.data
  if (otherwise === 'not_found') throw new Problem('not_found')
  throw new Problem('validation_failed', { errors: checked.errors })
}

/** The fields of a form as they came, for showing them again; of anything else none. */
export async function formFields(c: ApiContext): Promise<Record<string, string>> {
  if (typeOf(c) !== formType) return {}
  return Object.fromEntries(new URLSearchParams(await bodyText(c)))
}

async function rawBody(c: ApiContext, forms: boolean): Promise<unknown> {
  const type = typeOf(c)
  if (type === 'application/json') return parseJson(await bodyText(c))
  if (forms && type === formType) return formFields(c)
  const taken = forms ? `application/json or ${formType}` : 'application/json'
  throw new Problem('unsupported_media_type', { detail: `Send the body as ${taken}.` })
}

function typeOf(c: ApiContext): string | undefined {
  return c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('malformed_json')
  }
}
