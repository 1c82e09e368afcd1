import 'server-only'
import type { z } from 'zod'
import { type FormDeclaration, formAction, type ServerAction } from '@/core/guard/form-action'
import type { Scope } from '@/core/http/scope'
import type { ActionError } from '@/core/ui/action-result'

/** A server action that only reads, or that anonymous callers use. `mutation()` changes data. */
export function action<Schema extends z.ZodObject, Allowed extends Scope, Result>(
  declaration: FormDeclaration<Schema, Allowed>,
  run: (given: { input: z.output<Schema>; scope: Allowed }) => Promise<Result>,
): ServerAction<z.input<Schema>, Exclude<Result, ActionError>> {
  return formAction(declaration, run)
}
