import type { z } from 'zod'
import { isHashingQueueFull } from '#auth/passwords/queue'
import { headers, unstable_rethrow as rethrowNavigation } from '#auth/sessions/next'
import { readCurrentScope } from '#auth/sessions/next-session'
import {
  commitUnconfirmed,
  isAccountFrozen,
  isCommitUnconfirmed,
  isDatabaseUnavailable,
} from '#db/errors'
import { authorize, deny, type Guard } from '#guard/authorize'
import { readFormValues, sentFields } from '#guard/form-values'
import { actionRateLimited } from '#guard/rate-limited'
import { proveRecentSignIn } from '#guard/recent-sign-in'
import { isSameOrigin } from '#http/headers'
import { validateInput } from '#http/input'
import { problemDetail } from '#http/problems'
import { requestContext } from '#http/request-context'
import { logFailure } from '#http/request-log'
import type { Scope } from '#http/scope'
import { currentRequest } from '#log/current-request'
import type { RateLimit } from '#rate-limits/rate-limit'
import { declareLimits } from '#rate-limits/rate-limit'
import {
  type ActionError,
  type ActionResult,
  isActionError,
  refuse,
} from '#universal/action-result'
import { isSecretName } from '#universal/secret-names'

/** A server action that only reads, or that anonymous callers use. `mutation()` changes data. */
export function action<Schema extends z.ZodObject, Allowed extends Scope, Result>(
  declaration: FormDeclaration<Schema, Allowed>,
  run: (given: { input: z.output<Schema>; scope: Allowed }) => Promise<Result>,
): ServerAction<z.input<Schema>, Exclude<Result, ActionError>> {
  return formAction(declaration, run)
}

/** The part of a declaration that `action()` and `mutation()` share. */
export type FormDeclaration<Schema extends z.ZodObject, Allowed extends Scope> = Guard<Allowed> & {
  rateLimit: RateLimit
  input: Schema
  /** Fields whose text is shown again after an error. Passwords are never listed. */
  keeps?: readonly (keyof z.input<Schema> & string)[]
}

/** The form's fields, alone or after the state that `useActionState` passes first. */
type Arguments<Input> = [input: FormData | Input] | [state: unknown, input: FormData | Input]

export type ServerAction<Input, Data> = (...args: Arguments<Input>) => Promise<ActionResult<Data>>

type Given<Schema extends z.ZodObject, Allowed> = {
  input: z.output<Schema>
  scope: Allowed
  /** The form sent `currentPassword`, and it is correct. Checked with `recentSignIn` or `proof`. */
  passwordVerified: boolean
}

type Prove<Allowed> = (
  scope: Allowed,
  sent: unknown,
) => Promise<Pick<Given<z.ZodObject, Allowed>, 'passwordVerified'> | ActionError>

/**
 * Authorizes, validates, lets `prove` judge what was sent, and runs. Expected errors are returned as
 * values, never thrown.
 */
export function formAction<Schema extends z.ZodObject, Allowed extends Scope, Result>(
  declaration: FormDeclaration<Schema, Allowed>,
  run: (given: Given<Schema, Allowed>) => Promise<Result>,
  prove: Prove<Allowed> = (scope, sent) => proveRecentSignIn(scope, declaration, sent),
): ServerAction<z.input<Schema>, Exclude<Result, ActionError>> {
  declareLimits(declaration.name)
  const perform = async (sent: unknown) => {
    const scope = await authorizedScope(declaration)
    if (isActionError(scope)) return scope
    const validated = validateInput(declaration.input, valuesOf(declaration.input, sent))
    if (validated.errors) return refuse('invalid', undefined, validated.errors)
    const proof = await prove(scope, sent)
    if (isActionError(proof)) return proof
    return run({ input: validated.data, scope, ...proof })
  }
  return async (...args) => {
    const sent = args.at(-1)
    const result = await perform(sent).catch(failure)
    if (!isActionError(result)) {
      return { ok: true, data: result as Exclude<Result, ActionError> }
    }
    const typed = typedFields(sent, declaration)
    if (result.code === 'unauthenticated') keepUnsaved(typed)
    return { ...result, typed }
  }
}

/** Without JavaScript the page with the form is requested again, and needs a session. */
function keepUnsaved(typed: Readonly<Record<string, string>>): void {
  const context = requestContext()
  if (context) context.unsaved = typed
}

/** A redirect or another outcome of Next is no failure. */
function failure(error: unknown): ActionError {
  rethrowNavigation(error)
  if (isHashingQueueFull(error)) return actionRateLimited({ seconds: 1 })
  if (isAccountFrozen(error)) return refuse('forbidden', problemDetail('account_frozen'))
  logFailure(error, 'action failed')
  if (!isDatabaseUnavailable(error)) return refuse('internal')
  const request = currentRequest()
  if (request) request.actionStatus = 503
  return refuse('unavailable', isCommitUnconfirmed(error) ? commitUnconfirmed : undefined)
}

async function authorizedScope<Allowed extends Scope>(
  guard: Guard<Allowed>,
): Promise<Allowed | ActionError> {
  const scope = await readCurrentScope()
  const sent = await headers()
  // Next allows a request without an Origin, so Sec-Fetch-Site is checked here too.
  const evidence = {
    site: sent.get('sec-fetch-site') ?? undefined,
    origin: sent.get('origin') ?? undefined,
  }
  if (!scope.bearer && !isSameOrigin(evidence)) {
    await deny(scope, guard.name, 'cross_origin')
    return refuse('forbidden')
  }
  const denial = await authorize(scope, guard)
  if (denial?.code === 'rate_limited') {
    await deny(scope, guard.name, 'rate_limited')
    return actionRateLimited(denial.result)
  }
  if (denial) return refuse(denial.code)
  return scope as Allowed
}

function valuesOf(schema: z.ZodObject, input: unknown): unknown {
  return input instanceof FormData ? readFormValues(schema, input) : input
}

type Typed = Pick<FormDeclaration<z.ZodObject, Scope>, 'keeps' | 'input'>

/** Also of fields that the action does not know: the form would be empty, and the text lost. */
function typedFields(input: unknown, { keeps = [], input: schema }: Typed): Record<string, string> {
  const fields = input instanceof FormData ? sentFields(input) : input
  if (typeof fields !== 'object' || fields === null) return {}
  const isKept = (name: string) =>
    keeps.includes(name) || (!Object.hasOwn(schema.shape, name) && !isSecretName(name))
  const entries = Object.entries(fields).filter(
    ([name, value]) => isKept(name) && typeof value === 'string',
  )
  return Object.fromEntries(entries)
}
