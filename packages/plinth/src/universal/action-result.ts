type FieldError = { field: string; message: string }

const messages = {
  unauthenticated: 'Your session has ended. Sign in and try again.',
  forbidden: 'You do not have permission to do this.',
  reauthentication_required: 'Confirm that it is you, then try again.',
  proof_required: 'Confirm that it is you, then try again.',
  not_found: 'This no longer exists.',
  invalid: 'Some fields are invalid.',
  conflict: 'This conflicts with a newer change.',
  rate_limited: 'Too many attempts. Try again in a minute.',
  unavailable: 'The database is unavailable. Nothing was changed. Try again in a moment.',
  internal: 'Something went wrong on our side. Try again.',
} as const

export type ActionErrorCode = keyof typeof messages

/** Why an action changed nothing. */
export type ActionError = {
  ok: false
  code: ActionErrorCode
  message: string
  errors?: readonly FieldError[]
  /** The text of fields that the form shows again. */
  typed?: Readonly<Record<string, string>>
  /** The current values, after a conflict. */
  stored?: Readonly<Record<string, string>>
  /** The change that needs a proof: `/confirm?change=…` takes it. */
  change?: string
  /** The seconds to wait, after a rate limit. */
  retryAfter?: number
  /** The server sent no result. The browser has made this error, and the form offers to send it again. */
  isLost?: true
}

export type ActionResult<Data = undefined> = { ok: true; data: Data } | ActionError

/** A server action as `useActionState` calls it. */
export type FormAction<Data = unknown> = (
  state: unknown,
  form: FormData,
) => Promise<ActionResult<Data>>

export function refuse(
  code: ActionErrorCode,
  message: string = messages[code],
  errors?: readonly FieldError[],
): ActionError {
  return { ok: false, code, message, ...(errors ? { errors } : {}) }
}

export function isActionError(value: unknown): value is ActionError {
  return typeof value === 'object' && value !== null && 'ok' in value && value.ok === false
}

/** A message about what was just done. It is shown once, on the next page. */
export type Flash = {
  id: string
  /** Names the object: "Invitation sent to new@example.com." */
  text: string
  undo?: Undo
}

/** The mutation that reverses what was done, and its fields. */
export type Undo = {
  /** The name in the mutation's declaration. */
  action: string
  fields: Readonly<Record<string, string>>
}
