import type { z } from 'zod'
import type { FieldError } from '@/core/http/problems/problem'

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
