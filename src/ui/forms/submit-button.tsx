'use client'

import type { ActionError, ActionResult } from 'plinth/universal/action-result'
import { type ComponentProps, lazy } from 'react'
import { useFormStatus } from 'react-dom'
import { Button } from '@/ui/button'

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

type IdentityCode = 'reauthentication_required' | 'unauthenticated' | 'proof_required'

/** The form asks who the user is, instead of showing an error. */
export function needsIdentity(
  result: ActionResult<unknown> | undefined,
): result is ActionError & { code: IdentityCode } {
  return result?.ok === false && /^(reauth|unauth|proof_)/.test(result.code)
}

/**
 * Inside a form whose action needs a recent sign-in: asks for the password. If it needs a proof of its
 * own: leads to it. If the session has ended: offers to sign in. Nothing typed is lost.
 */
export function ConfirmIdentity({ result, page }: ConfirmIdentityProps) {
  return needsIdentity(result) ? <IdentityFields result={result} page={page} /> : null
}
