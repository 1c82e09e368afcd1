import type { ActionResult } from '@/core/guard/action-result'
import { Notice } from '@/core/ui/notice'

/** Why nothing was done, unless that stands beside a field. */
export function Refused({ result }: { result: ActionResult<unknown> | undefined }) {
  if (!result || result.ok || result.errors) return null
  return <Notice>{result.message}</Notice>
}
