import type { ActionResult } from '@/core/ui/action-result'
import { Notice } from '@/core/ui/notice'

/** An error of the whole form. Field errors are shown next to their fields. */
export function FormError({ result }: { result: ActionResult<unknown> | undefined }) {
  if (!result || result.ok || result.errors) return null
  return <Notice>{result.message}</Notice>
}
