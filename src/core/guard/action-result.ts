import type { FieldError } from '@/core/http/problem'

/** Why an action did nothing, with what people are told. Details come from the action itself. */
const refusals = {
  unauthenticated: 'Your session has ended. Sign in and try again.',
  forbidden: 'You are not allowed to do this.',
  invalid: 'Some fields are not right yet.',
  conflict: 'This conflicts with what is stored.',
  rate_limited: 'That was too often. Wait a moment, then try again.',
  unavailable: 'The database does not answer. Nothing was changed; try again in a moment.',
  internal: 'Something went wrong on our side. It has been recorded.',
} as const

export type RefusalCode = keyof typeof refusals

export type Refusal = {
  ok: false
  code: RefusalCode
  message: string
  /** What is wrong with which field. */
  errors?: readonly FieldError[]
  /** What was typed into the fields that may be shown again. */
  typed?: Readonly<Record<string, string>>
  /** Of a conflict: what is stored now, instead of what somebody thought. */
  stored?: Readonly<Record<string, string>>
}

export type ActionResult<Data = undefined> = { ok: true; data: Data } | Refusal

/** For an action to answer with when it cannot do what was asked. */
export function refuse(
  code: RefusalCode,
  message: string = refusals[code],
  errors?: readonly FieldError[],
): Refusal {
  return { ok: false, code, message, ...(errors ? { errors } : {}) }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'ok' in value && value.ok === false
}

/** What to show beside a field of the form that the result belongs to. */
export function errorOf(result: ActionResult<unknown> | undefined, field: string) {
  if (!result || result.ok) return undefined
  return result.errors?.find((error) => error.field === field)?.message
}

export function typedIn(result: ActionResult<unknown> | undefined, field: string) {
  return result && !result.ok ? result.typed?.[field] : undefined
}
