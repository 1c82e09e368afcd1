import 'server-only'
import { headers } from 'next/headers'
import {
  createSafeActionClient,
  flattenValidationErrors,
  returnServerError,
} from 'next-safe-action'
import type { z } from 'zod'
import { currentScope } from '@/core/auth/current-scope'
import type { Scope } from '@/core/auth/scope'
import { isUnreachable } from '@/core/db/errors'
import { type ActionResult, isRefusal, type Refusal, refuse } from '@/core/guard/action-result'
import { type Admission, admit, deny } from '@/core/guard/admit'
import { formSchema, typedFields } from '@/core/guard/form-input'
import { isSameOrigin } from '@/core/http/origin-evidence'
import type { FieldError } from '@/core/http/problem'
import type { Limit } from '@/core/limits/allow'
import { log } from '@/core/log'

/** All there is to know of an action from outside: who may, how often, what it takes and keeps. */
type Declaration<Input extends z.ZodObject, Allowed extends Scope> = Admission<Allowed> & {
  limit: Limit
  takes: Input
  /** Fields whose text is shown again after a refusal. No other is, so that no secret ever is. */
  keeps?: readonly (keyof z.input<Input> & string)[]
}

type Given<Input, Allowed> = { input: Input; scope: Allowed }

/** The form's own fields, alone or after the state that `useActionState` puts before them. */
type Arguments<Input> = [given: FormData | Input] | [before: unknown, given: FormData | Input]

/**
 * A server action. There is no other way to make one, so none lacks its declaration. Whatever is
 * expected to go wrong comes back as a value; nothing is thrown at the page.
 */
export function action<Input extends z.ZodObject, Allowed extends Scope, Result>(
  declaration: Declaration<Input, Allowed>,
  run: (given: Given<z.output<Input>, Allowed>) => Promise<Result>,
): (...given: Arguments<z.input<Input>>) => Promise<ActionResult<Exclude<Result, Refusal>>> {
  const guarded = client
    .use(async ({ next }) => next({ ctx: { scope: await admitted(declaration) } }))
    .inputSchema(formSchema(declaration.takes), {
      handleValidationErrorsShape: async (errors) => listed(errors),
    })
    .action(async ({ parsedInput, ctx }) =>
      run({ input: parsedInput as z.output<Input>, scope: ctx.scope }),
    )
  return async (...given) => {
    const input = given.at(-1)
    const { data, serverError, validationErrors } = await guarded(input)
    const refusal =
      serverError ?? (validationErrors && refuse('invalid', undefined, validationErrors))
    if (!refusal && !isRefusal(data)) {
      return { ok: true, data: data as Exclude<Result, Refusal> }
    }
    return { ...(refusal ?? (data as Refusal)), typed: typedFields(input, declaration.keeps ?? []) }
  }
}

const client = createSafeActionClient({
  handleServerError: (error): Refusal => {
    log().error({ err: error }, 'action failed')
    return refuse(isUnreachable(error) ? 'unavailable' : 'internal')
  },
})

async function admitted<Allowed extends Scope>(admission: Admission<Allowed>): Promise<Allowed> {
  const scope = await currentScope()
  const sent = await headers()
  // Next lets a request without an Origin pass; what else the browser says is asked here again.
  const evidence = {
    site: sent.get('sec-fetch-site') ?? undefined,
    origin: sent.get('origin') ?? undefined,
  }
  if (!scope.bearer && !isSameOrigin(evidence)) {
    await deny(scope, admission.name, 'cross_origin')
    return returnServerError(refuse('forbidden'))
  }
  const refused = await admit(scope, admission)
  if (refused) return returnServerError(refuse(refused.code))
  return scope as Allowed
}

function listed(errors: object): FieldError[] {
  const { formErrors, fieldErrors } = flattenValidationErrors(errors)
  const perField = Object.entries<string[] | undefined>(fieldErrors)
  return [['', formErrors] as const, ...perField].flatMap(([field, messages = []]) =>
    messages.map((message) => ({ field, message })),
  )
}
