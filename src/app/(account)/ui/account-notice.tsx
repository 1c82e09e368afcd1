import { Notice } from '@/core/ui/notice'

/** The values of `?done=`, which name the action that was just completed. */
export const completedActions = [
  'profile_updated',
  'password_changed',
  'link_sent',
  'session_revoked',
  'sessions_revoked',
  'account_linked',
  'account_unlinked',
] as const

type CompletedAction = (typeof completedActions)[number]

interface AccountNoticeProps {
  done: CompletedAction | undefined
  /** Why linking a provider failed. */
  error: string | undefined
  email: string
}

export function AccountNotice({ done, error, email }: AccountNoticeProps) {
  if (error) return <SpacedNotice tone="danger">{error}</SpacedNotice>
  return done ? <SpacedNotice tone="positive">{messageFor(done, email)}</SpacedNotice> : null
}

function SpacedNotice({ tone, children }: { tone: 'danger' | 'positive'; children: string }) {
  return (
    <div className="mt-6">
      <Notice tone={tone}>{children}</Notice>
    </div>
  )
}

function messageFor(done: CompletedAction, email: string): string {
  switch (done) {
    case 'profile_updated':
      return 'Profile saved.'
    case 'password_changed':
      return 'Password changed. You were signed out on your other devices.'
    case 'link_sent':
      return `We sent an email to ${email}. Use the link in it to set a password. It expires in one hour.`
    case 'session_revoked':
      return 'Session revoked.'
    case 'sessions_revoked':
      return 'All other sessions revoked.'
    case 'account_linked':
      return 'Account linked. You can now use it to sign in.'
    case 'account_unlinked':
      return 'Account unlinked. You can no longer use it to sign in.'
  }
}
