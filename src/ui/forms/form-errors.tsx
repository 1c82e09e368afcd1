'use client'

import type { ActionError } from 'plinth/universal/action-result'
import { isSecretName } from 'plinth/universal/secret-names'
import { type RefObject, useEffect } from 'react'
import { useFormStatus } from 'react-dom'
import { Notice } from '../text'
import { claimedErrors, type FormResult } from './field'
import { needsIdentity, SubmitButton } from './submit-button'

export interface FormErrorsProps {
  result: FormResult
  /** Its first invalid field is focused. Without JavaScript `autofocus` does it. */
  form: RefObject<HTMLFormElement | null>
  /** The names of fields that the user does not see. */
  hidden?: readonly string[]
  /**
   * `top` is the error of the whole form. `end` are those that no field shows, such as that of a
   * misspelled one: it follows the fields, which are rendered first, and is moved to the top. A form
   * without fields has neither.
   */
  place?: 'top' | 'end'
}

export default function FormErrors({ result, form, hidden = [], place }: FormErrorsProps) {
  useEffect(() => {
    if (result) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [result, form])
  if (result?.ok !== false || needsIdentity(result)) return null
  if (place === 'end') return <UnclaimedErrors error={result} hidden={hidden} />
  const { message, errors = [] } = result
  const ofForm = errors.find(({ field }) => field === '')
  const isOfFields = place && !ofForm && errors.some(({ field }) => !hidden.includes(field))
  if (isOfFields) return null
  return <Notice>{result.isLost ? <Retry>{message}</Retry> : (ofForm?.message ?? message)}</Notice>
}

function UnclaimedErrors({ error, hidden }: { error: ActionError; hidden: readonly string[] }) {
  const { errors: all = [] } = error
  const shown = all.filter((error) => claimedErrors.has(error)).map(({ field }) => field)
  const errors = all.filter(({ field }) => ![...shown, ...hidden, ''].includes(field))
  if (errors.length === 0) return null
  return (
    <div className="-order-1">
      <Notice>
        {errors.map(({ field, message }) => (
          <p key={`${field} ${message}`}>{`${field}: ${message}`}</p>
        ))}
      </Notice>
    </div>
  )
}

/** Says what happened, and sends the form around it again. */
function Retry({ children }: { children: string }) {
  const { pending } = useFormStatus()
  return (
    <>
      {/* The text changes, so that a second failure is announced too. */}
      <p className="mb-3">{pending ? 'Trying again.' : children}</p>
      <SubmitButton variant="secondary" size="small">
        Try again
      </SubmitButton>
    </>
  )
}

/** The result of a form without a response. Throws any other error again. */
export function connectionLost(
  error: unknown,
  /** When the form was sent. */
  wasOnline: boolean,
  form: HTMLFormElement | null,
  fields: FormData,
  last: FormResult,
): ActionError {
  if (!isConnectionError(error)) throw error
  // As any other error that is not handled: it may be one of the app's own code.
  reportError(error)
  // React resets a form after its action. What is in it stays, passwords and files too.
  form?.addEventListener('reset', (event) => event.preventDefault(), { once: true })
  const message =
    wasOnline || navigator.onLine
      ? // It may have received the form.
        'The server did not respond. Your changes may not be saved. Try again in a moment.'
      : 'Not saved. You are offline.'
  return {
    ok: false,
    code: 'unavailable',
    isLost: true,
    message,
    typed: typedText(fields),
    // After a conflict, the form is still based on the stored version.
    ...(last?.ok === false && last.stored && { stored: last.stored }),
  }
}

/**
 * Whether the response is missing, incomplete or that of a proxy. What the action throws, a redirect
 * for instance, has a digest; `UnrecognizedActionError` is for loaded-enhancements.tsx.
 */
function isConnectionError(error: unknown): boolean {
  const { name, digest } = error as { name?: string; digest?: string }
  return digest === undefined && name !== 'UnrecognizedActionError'
}

function typedText(fields: FormData): Record<string, string> {
  const texts = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && !isSecretName(field[0]),
  )
  return Object.fromEntries(texts)
}
