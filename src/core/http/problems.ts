/** Every problem that the interface can answer with. The codes are stable; the texts are public. */
export const problems = {
  bad_request: [400, 'Bad request', 'The request could not be understood.'],
  malformed_json: [400, 'Malformed JSON', 'The body is not valid JSON.'],
  unauthenticated: [401, 'Not signed in', 'This needs a session. Sign in and try again.'],
  invalid_credentials: [401, 'Sign-in failed', 'The e-mail address or the password is wrong.'],
  forbidden: [403, 'Not allowed', 'Your role does not allow this.'],
  cross_origin: [
    403,
    'Cross-origin request',
    'This request must come from the application itself.',
  ],
  not_found: [404, 'Not found', 'There is nothing at this address.'],
  method_not_allowed: [405, 'Method not allowed', 'This address does not answer to that method.'],
  conflict: [409, 'Conflict', 'The request conflicts with what is stored.'],
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
  unhealthy: [503, 'Unhealthy', 'The database does not answer.'],
  database_unreachable: [
    503,
    'Database unreachable',
    'The database does not answer. Try again in a moment.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>

export type ProblemCode = keyof typeof problems
