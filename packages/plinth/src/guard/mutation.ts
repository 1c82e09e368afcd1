import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Change, Proof } from '#auth/accounts/change-proofs'
import { cookies, headers, redirect, refresh } from '#auth/sessions/next'
import { env } from '#config/env'
import type { Database } from '#db/client'
import { type FormDeclaration, formAction, type ServerAction } from '#guard/action'
import { auditedTransaction } from '#guard/audited-transaction'
import { deny, type Guard } from '#guard/authorize'
import { proveChange, takeProof } from '#guard/change-proof'
import { decodeFlash, flashCookie, readFlashCookie } from '#guard/flash'
import type { SignedInScope } from '#guard/policy'
import { proveRecentSignIn } from '#guard/recent-sign-in'
import { isPrefetch } from '#http/headers'
import { requestContext } from '#http/request-context'
import { changeSignIn } from '#recovery/changes'
import type { Method } from '#recovery/history'
import {
  type ActionError,
  type Flash,
  isActionError,
  refuse,
  type Undo,
} from '#universal/action-result'

type Given<Schema extends z.ZodObject, Allowed> = {
  input: z.output<Schema>
  scope: Allowed
  /** A new UUID, for the row that the mutation creates. */
  newId: string
  /** The form sent `currentPassword`, and it is correct. Checked with `recentSignIn` or `proof`. */
  passwordVerified: boolean
}

type Declaration<
  Schema extends z.ZodObject,
  Allowed extends SignedInScope,
  Prepared,
> = FormDeclaration<Schema, Allowed> & {
  /**
   * The caller must have proved this change, in this session and in the last ten minutes, on
   * `/confirm?change=…`. The mutation uses the proof up if it succeeds. Neither a recent sign-in nor
   * a remembered browser is one.
   */
  proof?: Change
  /**
   * It changes a sign-in method or the email of the caller. The history records what it added and
   * removed, and the owner gets a notice with a link that undoes it.
   */
  changesSignIn?: true
  /** It only prepares the change, which then uses the proof up. */
  keepsProof?: true
  /** The id of the changed object, for the audit log. */
  target?: (given: Given<Schema, Allowed>) => string | undefined
  /** For the audit log. Never a secret or typed text. */
  details?: (given: Given<Schema, Allowed>) => Details
  /** The ids of the users that it changes; their rows are locked, after the caller's. */
  lockUsers?: (given: Given<Schema, Allowed>) => readonly string[]
  /** Slow work before the transaction, such as hashing a password. */
  prepare?: (
    given: Given<Schema, Allowed>,
  ) => Prepared | ActionError | Promise<Prepared | ActionError>
  /** Where the browser goes afterwards. */
  redirectTo?: string | ((given: Given<Schema, Allowed>) => string | undefined)
}

type Run<Schema extends z.ZodObject, Allowed, Prepared, Result> = (
  given: Given<Schema, Allowed> & {
    tx: Database
    prepared: Prepared
    /** The proofs of the change, with `proof`. */
    provedBy: readonly Proof[]
    /** The page at `redirectTo` shows the text once. Name the object: "Invitation sent to a@b.c." */
    notify: Notify
    /** For the audit log: what is known in the transaction only, such as the previous value. */
    addDetails: (details: Details) => void
  },
) => Promise<Result | ActionError>

type Details = Record<string, string | number | boolean>

type Notify = (text: string, undo?: Undo) => void

export type Mutation<Schema extends z.ZodObject, Allowed extends SignedInScope, Result, Data> =
  // The server action, for forms.
  ServerAction<z.input<Schema>, Data> & {
    /** For API routes and tests. */
    run(scope: SignedInScope, input: z.output<Schema>): Promise<Result | ActionError>
    /** A route spreads it to be guarded like the form. */
    guard: Guard<Allowed> & Pick<FormDeclaration<Schema, Allowed>, 'rateLimit'>
  }

/**
 * A server action that changes data for a signed-in user. It opens a transaction, locks the users,
 * reads the session again and checks `authorize` in it, runs, and writes the audit event. An error
 * rolls all of it back. `afterCommit` may set cookies; its result is what the browser gets.
 */
export function mutation<
  Schema extends z.ZodObject,
  Allowed extends SignedInScope,
  Result,
  Prepared = undefined,
  Data = Result,
>(
  declaration: Declaration<Schema, Allowed, Prepared>,
  run: Run<Schema, Allowed, Prepared, Result>,
  afterCommit?: (done: { result: Result; scope: Allowed }) => Promise<Data>,
): Mutation<Schema, Allowed, Result, Data> {
  const { name, authorize, rateLimit, recentSignIn, redirectTo } = declaration
  const guard = { name, authorize, rateLimit, ...(recentSignIn ? { recentSignIn } : {}) }

  const prove = (scope: Allowed, sent: unknown) =>
    declaration.proof
      ? proveChange(scope, { ...declaration, proof: declaration.proof }, sent)
      : proveRecentSignIn(scope, declaration, sent)

  const action = formAction(
    declaration,
    async ({ input, scope, passwordVerified }) => {
      const given = { input, scope, newId: randomUUID(), passwordVerified }
      let flash: Omit<Flash, 'id'> | undefined
      const result = await runInTransaction(declaration, run, given, (text, undo) => {
        flash = { text, ...(undo ? { undo } : {}) }
      })
      if (isActionError(result)) return result
      const data = afterCommit ? await afterCommit({ result, scope }) : result
      // The browser forgets the pages it has seen. Back would show them as they were before.
      refresh()
      const url = typeof redirectTo === 'function' ? redirectTo(given) : redirectTo
      if (url !== undefined) {
        if (flash) await setFlash(flash, scope.session.user.id)
        redirect(url)
      }
      return data as Exclude<Data, ActionError>
    },
    prove,
  )

  return Object.assign(action as ServerAction<z.input<Schema>, Data>, {
    guard,
    run: async (scope: SignedInScope, input: z.output<Schema>) => {
      if (!authorize(scope)) {
        await deny(scope, name, 'role')
        return refuse('forbidden')
      }
      const proven = await prove(scope, input)
      if (isActionError(proven)) return proven
      const given = { input, scope, newId: randomUUID(), ...proven }
      return runInTransaction(declaration, run, given, () => {})
    },
  })
}

async function runInTransaction<
  Schema extends z.ZodObject,
  Allowed extends SignedInScope,
  Prepared,
  Result,
>(
  declaration: Declaration<Schema, Allowed, Prepared>,
  run: Run<Schema, Allowed, Prepared, Result>,
  given: Given<Schema, Allowed>,
  notify: Notify,
): Promise<Result | ActionError> {
  const { name, authorize, target, details, lockUsers, prepare, proof, keepsProof } = declaration
  const { changesSignIn } = declaration
  const prepared = await prepare?.(given)
  if (isActionError(prepared)) return prepared
  const recorded = { ...details?.(given) }
  const options = {
    name,
    authorize,
    target: target?.(given),
    details: recorded,
    lockUsers: lockUsers?.(given) ?? [],
  }
  const addDetails = (more: Details) => {
    Object.assign(recorded, more)
  }
  return auditedTransaction(given.scope, options, async (tx, scope) => {
    const { passwordVerified } = given
    const use = proof && { change: proof, passwordVerified, keepsProof: keepsProof ?? false }
    const provedBy = use ? await takeProof(tx, scope, use) : []
    if (isActionError(provedBy)) return provedBy
    if (use) addDetails({ proved_by: provedBy.map(({ kind }) => kind).join() })
    const shared = { tx, scope, notify, addDetails, provedBy, prepared: prepared as Prepared }
    const change = () => run({ ...given, ...shared })
    if (!changesSignIn) return change()
    const { id: userId } = scope.session.user
    return changeSignIn(tx, { userId, confirmedBy: factorIn(provedBy) }, change)
  })
}

/** The app or passkey that the caller gave for this very change. */
export function factorIn(provedBy: readonly Proof[]): Method | undefined {
  const factor = provedBy.find(({ kind }) => kind === 'app' || kind === 'passkey')
  if (!factor?.methodId) return undefined
  return { kind: factor.kind as 'app' | 'passkey', id: factor.methodId }
}

/**
 * In a server action, before it redirects.
 *
 * @public For actions of modules that are no mutations.
 */
export async function setFlash(flash: Omit<Flash, 'id'>, userId: string | undefined) {
  ;(await cookies()).set(...flashCookie(flash, userId))
}

/** The message to show on this page. The server clears it, so it is shown once. */
export async function currentFlash(userId: string | undefined): Promise<Flash | undefined> {
  const context = requestContext()
  return decodeFlash(context ? context.flash : sentFlash(await headers()), userId)
}

/** When Next is the host. */
function sentFlash(all: Headers): string | undefined {
  if (isPrefetch((name) => all.get(name))) return undefined
  return readFlashCookie(all.get('cookie') ?? undefined, env().AUTH_URL)
}
