'use client'

import { lazy } from 'react'
import type { ActionResult } from './action-result'

/** Rarely needed, so it is not part of the page. */
const IdentityFields = lazy(() => import('./identity-fields'))

interface ConfirmIdentityProps {
  result: ActionResult<unknown> | undefined
  /** Where `/confirm` leads back to without JavaScript. */
  page?: string | undefined
}

/**
 * Asks for the password inside a form whose action needs a recent sign-in, so that nothing typed is
 * lost.
 */
export function ConfirmIdentity({ result, page }: ConfirmIdentityProps) {
  if (result?.ok !== false || result.code !== 'reauthentication_required') return null
  return <IdentityFields result={result} page={page} />
}
