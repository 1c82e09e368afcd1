'use client'

import { useActionState } from 'react'
import type { ActionResult } from '@/core/guard/action-result'
import { useFocusOnRefusal } from '@/core/ui/use-focus-on-refusal'

export type Act = (before: unknown, form: FormData) => Promise<ActionResult<unknown>>

/**
 * One of the forms of this page, each with an action of its own. Without JavaScript it is sent to the
 * page itself, without what its address said of the last thing done; to name the page also spares
 * React the working out of a name for every form.
 */
export function useAccountForm(act: Act) {
  const [result, submit] = useActionState(act, undefined, '/account')
  const form = useFocusOnRefusal(result)
  return { result, submit, form }
}
