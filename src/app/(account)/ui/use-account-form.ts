'use client'

import { useActionState } from 'react'
import type { FormAction } from '@/core/ui/action-result'
import { useFocusOnError } from '@/core/ui/use-focus-on-error'

/**
 * State of one of the forms of the account page. The permalink drops `?done=` from the URL when the
 * form is sent without JavaScript, and spares React from computing a key for each form.
 */
export function useAccountForm(action: FormAction) {
  const [result, submit] = useActionState(action, undefined, '/account')
  const form = useFocusOnError(result)
  return { result, submit, form }
}
