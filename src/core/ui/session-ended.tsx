'use client'

import { lazy } from 'react'
import type { ActionResult } from './action-result'

/** Rarely needed, so it is not part of the page. */
const SignInAgain = lazy(() => import('./sign-in-again'))

/** In the message of a form whose session has ended: signs in beside it, so that nothing is lost. */
export function SessionEnded({ result }: { result: ActionResult<unknown> | undefined }) {
  if (result?.ok !== false || result.code !== 'unauthenticated') return null
  return <SignInAgain />
}
