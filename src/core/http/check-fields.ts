import type { z } from 'zod'
import type { FieldError } from '@/core/http/problem'

type Checked<Data> = { data: Data; errors?: never } | { errors: readonly FieldError[] }

/** What was sent, checked: the one place where anything from outside becomes something we know. */
export function checkFields<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): Checked<z.output<Schema>> {
  const result = schema.safeParse(given, { reportInput: true })
  if (!result.success) return { errors: result.error.issues.map(fieldError) }
  const unstorable = fieldsWithNul(result.data)
  if (unstorable.length === 0) return { data: result.data }
  const message = 'This has a character that cannot be stored.'
  return { errors: unstorable.map((field) => ({ field, message })) }
}

/** PostgreSQL stores every character but this one, and calls it an error of the query. */
function fieldsWithNul(data: unknown, path: readonly string[] = []): string[] {
  if (typeof data === 'string') return data.includes('\0') ? [path.join('.')] : []
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) => fieldsWithNul(value, [...path, name]))
}

type Issue = z.core.$ZodIssue

/** In our own words: a schema's where it has some, else these. */
function fieldError(issue: Issue): FieldError {
  return { field: issue.path.join('.'), message: messageOf(issue) }
}

function messageOf(issue: Issue): string {
  // A schema that says more than the library would has been given its words by us.
  if (!libraryWords.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is required.' : 'This is of the wrong type.'
    case 'too_small':
      return 'This is too short or too small.'
    case 'too_big':
      return 'This is too long or too large.'
    case 'unrecognized_keys':
      return 'There are fields here that are not known.'
    default:
      return 'This is not one of the values that are taken here.'
  }
}

const libraryWords = /^(Invalid|Too|Unrecognized|Expected)/
