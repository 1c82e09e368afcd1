/** Every problem that the interface can answer with. The codes are stable; the texts are public. */
export const problems = {
  bad_request: [400, 'Bad request', 'The request could not be understood.'],
  malformed_json: [400, 'Malformed JSON', 'The body is not valid JSON.'],
  unauthenticated: [401, 'Not signed in', 'This needs a session. Sign in and try again.'],
  invalid_credentials: [401, 'Sign-in failed', 'The e-mail address or the password is wrong.'],
  oauth_failed: [
    400,
    'Sign-in not completed',
    'The sign-in with the other service was not completed. Start again.',
  ],
  forbidden: [403, 'Not allowed', 'Your role does not allow this.'],
  cross_origin: [
    403,
    'Cross-origin request',
    'This request must come from the application itself.',
  ],
  csrf_mismatch: [
    403,
    'CSRF token missing or wrong',
    'The token does not belong to this browser. Ask for a new one and try again.',
  ],
  oauth_denied: [403, 'Sign-in refused', 'The other service was told not to sign you in here.'],
  email_not_verified: [
    403,
    'E-mail address not verified',
    'The other service has verified no e-mail address of yours. Verify it there, then try again.',
  ],
  sign_up_closed: [403, 'Sign-up closed', 'New accounts cannot be made here at the moment.'],
  not_found: [404, 'Not found', 'There is nothing at this address.'],
  method_not_allowed: [405, 'Method not allowed', 'This address does not answer to that method.'],
  conflict: [409, 'Conflict', 'The request conflicts with what is stored.'],
  email_in_use: [
    409,
    'E-mail address in use',
    'There is an account with this e-mail address. Sign in to it, then link the other service.',
  ],
  account_linked_elsewhere: [
    409,
    'Linked to somebody else',
    'That account of the other service is linked to another account here.',
  ],
  provider_linked_already: [
    409,
    'Another one is linked',
    'Another account of that service is linked to yours already.',
  ],
  body_too_large: [413, 'Body too large', 'A body may be at most 64 KiB.'],
  unsupported_media_type: [
    415,
    'Unsupported content type',
    'The content type is not one of those taken here.',
  ],
  validation_failed: [
    422,
    'Validation failed',
    'Some fields are not right; each is listed in errors.',
  ],
  rate_limited: [429, 'Too many requests', 'Wait a moment, then try again.'],
  internal: [
    500,
    'Something went wrong',
    'The fault is ours and has been recorded under the request id.',
  ],
  provider_unavailable: [
    502,
    'Other service unavailable',
    'The other service does not answer. Try again in a moment.',
  ],
  unhealthy: [503, 'Unhealthy', 'The database does not answer.'],
  database_unreachable: [
    503,
    'Database unreachable',
    'The database does not answer. Try again in a moment.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>

export type ProblemCode = keyof typeof problems

/** What people are told about a code that came in an address. One that is unknown says nothing. */
export function textOfProblem(code: string | undefined): string | undefined {
  if (code === undefined || !Object.hasOwn(problems, code)) return undefined
  return problems[code as ProblemCode][2]
}
