import type { z } from 'zod'
import type { ApiContext } from '@/core/http/context'
import { bodyText } from '@/core/http/limit-body'
import { type FieldError, Problem } from '@/core/http/problem'

type Forms = { forms?: boolean }

/** The body, checked. JSON, and where a plain HTML form may post here also its encoding. */
export async function readBody<Schema extends z.ZodType>(
  c: ApiContext,
  schema: Schema,
  { forms = false }: Forms = {},
): Promise<z.output<Schema>> {
  const result = schema.safeParse(await rawBody(c, forms))
  if (result.success) return result.data
  throw new Problem('validation_failed', { errors: fieldErrors(result.error) })
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
}

async function rawBody(c: ApiContext, forms: boolean): Promise<unknown> {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/json') return parseJson(await bodyText(c))
  if (forms && type === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(await bodyText(c)))
  }
  const taken = forms ? 'application/json or application/x-www-form-urlencoded' : 'application/json'
  throw new Problem('unsupported_media_type', { detail: `Send the body as ${taken}.` })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('malformed_json')
  }
}
