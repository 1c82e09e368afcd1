import type { z } from 'zod'
import type { FieldError } from '@/core/http/problem'

type Issue = z.core.$ZodIssue

/** What is wrong with each field, in our own words: a schema's where it has some, else these. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({ field: issue.path.join('.'), message: messageOf(issue) }))
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
