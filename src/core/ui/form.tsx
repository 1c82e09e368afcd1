'use client'

import {
  type ComponentProps,
  createContext,
  lazy,
  type ReactNode,
  type RefObject,
  use,
  useActionState,
  useEffect,
  useRef,
} from 'react'
import { useFormStatus } from 'react-dom'
import {
  type ActionError,
  type ActionResult,
  errorOf,
  type FormAction,
  typedIn,
} from '@/core/ui/action-result'
import { Button, classNames } from '@/core/ui/button'
import { HiddenFields } from '@/core/ui/field-layout'
import { Notice } from '@/core/ui/text'

interface FormProps {
  /** A server action. */
  action: FormAction
  /** Sent with the form, but not shown. */
  fields?: Readonly<Record<string, string>>
  /** Of a submit button at the end of the form. */
  submitLabel?: string
  /** Where the page is shown after the form was sent without JavaScript; by default its own URL. */
  permalink?: string
  className?: string
  children?: ReactNode
}

/**
 * A form around a server action, also without JavaScript. The fields in it show their errors and the
 * typed text again; an error of the whole form is shown at the top.
 */
export function Form(props: FormProps) {
  const { action, fields = {}, submitLabel, permalink, className, children } = props
  const [result, submit] = useActionState(action, undefined, permalink)
  const form = useFocusOnError(result)
  const error = result && !result.ok ? formError(result, Object.keys(fields)) : undefined
  return (
    <FormContext value={result}>
      <form ref={form} action={submit} noValidate className={classNames('form', className)}>
        {error && <Notice>{error}</Notice>}
        <HiddenFields fields={withStored(fields, result)} />
        {children}
        <ConfirmIdentity result={result} page={permalink} />
        {submitLabel && <SubmitButton>{submitLabel}</SubmitButton>}
      </form>
    </FormContext>
  )
}

/** After a conflict, the next submission is based on the stored version. */
function withStored(fields: Readonly<Record<string, string>>, result: FormResult) {
  const stored = result?.ok === false ? (result.stored ?? {}) : {}
  const known = Object.entries(stored).filter(([name]) => name in fields)
  return { ...fields, ...Object.fromEntries(known) }
}

/** Undefined if every error belongs to a field that the user sees. */
function formError(error: ActionError, hidden: string[]): string | undefined {
  const { message, errors = [] } = error
  if (needsIdentity(error)) return undefined
  const ofForm = errors.find(({ field }) => field === '')
  if (ofForm) return ofForm.message
  return errors.every(({ field }) => hidden.includes(field)) ? message : undefined
}

export type FormResult = ActionResult<unknown> | undefined

export const FormContext = createContext<FormResult>(undefined)

/** The result of the form around a component. Undefined before it was sent. */
export function useFormResult(): FormResult {
  return use(FormContext)
}

/** What a field of this name shows after the form was sent. */
export function useFieldState(name: string) {
  const result = useFormResult()
  const firstError = result?.ok === false ? result.errors?.[0] : undefined
  return {
    error: errorOf(result, name),
    typed: typedIn(result, name),
    /** Focuses the first invalid field without JavaScript. Undefined if there is none. */
    autoFocus: firstError && firstError.field === name,
  }
}

/** Pending while the form's action runs. */
export function SubmitButton(props: Omit<ComponentProps<typeof Button>, 'type' | 'pending'>) {
  const { pending } = useFormStatus()
  return <Button {...props} type="submit" pending={pending} />
}

/** Rarely needed, so it is not part of the page. */
const IdentityFields = lazy(() => import('./identity-fields'))

interface ConfirmIdentityProps {
  result: ActionResult<unknown> | undefined
  /** Where `/confirm` leads back to without JavaScript. */
  page?: string | undefined
}

/** The form asks who the user is, instead of showing an error. */
export function needsIdentity(
  result: ActionResult<unknown> | undefined,
): result is ActionError & { code: 'reauthentication_required' | 'unauthenticated' } {
  return result?.ok === false && /^(reauth|unauth)enticat/.test(result.code)
}

/**
 * Inside a form whose action needs a recent sign-in: asks for the password. If the session has ended:
 * offers to sign in. Nothing typed is lost.
 */
export function ConfirmIdentity({ result, page }: ConfirmIdentityProps) {
  return needsIdentity(result) ? <IdentityFields result={result} page={page} /> : null
}

/** Focuses the first invalid field. Without JavaScript `autofocus` does it. */
export function useFocusOnError(result: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [result])
  return form
}
