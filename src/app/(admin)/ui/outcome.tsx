import { Notice } from '@/core/ui/notice'

const outcomes = {
  deleted: 'The account is deleted, with its sessions and links.',
  session_ended: 'The session has ended.',
  sessions_ended: 'All sessions of this person have ended.',
  invited: 'The invitation is on its way.',
  withdrawn: 'The invitation is withdrawn. Its link no longer works.',
} as const

type Outcome = keyof typeof outcomes

/** What the last action did, after it led here. */
export function OutcomeNotice({ done }: { done: Outcome | undefined }) {
  if (!done) return null
  return (
    <div className="mb-6">
      <Notice tone="positive">{outcomes[done]}</Notice>
    </div>
  )
}
