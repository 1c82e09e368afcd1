import { Notice } from '@/core/ui/notice'

/** By the value of `?done=`, which names the action that was just completed. */
const messages = {
  user_deleted: 'Account deleted.',
  session_revoked: 'Session revoked.',
  sessions_revoked: 'All sessions revoked.',
  invitation_sent: 'Invitation sent.',
  invitation_canceled: 'Invitation canceled. Its link no longer works.',
} as const

export function AdminNotice({ done }: { done: keyof typeof messages | undefined }) {
  if (!done) return null
  return (
    <div className="mb-6">
      <Notice tone="positive">{messages[done]}</Notice>
    </div>
  )
}
