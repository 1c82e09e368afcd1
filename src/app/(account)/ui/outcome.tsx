import { Notice } from '@/core/ui/notice'

export const outcomes = [
  'profile',
  'password',
  'link',
  'session',
  'sessions',
  'linked',
  'unlinked',
] as const

type Outcome = (typeof outcomes)[number]

interface OutcomeNoticeProps {
  done: Outcome | undefined
  /** Why another service could not be linked. */
  error: string | undefined
  email: string
}

/** What became of the last thing that somebody did here. */
export function OutcomeNotice({ done, error, email }: OutcomeNoticeProps) {
  if (error) return <Told tone="danger">{error}</Told>
  return done ? <Told tone="positive">{textOf(done, email)}</Told> : null
}

function Told({ tone, children }: { tone: 'danger' | 'positive'; children: string }) {
  return (
    <div className="mt-6">
      <Notice tone={tone}>{children}</Notice>
    </div>
  )
}

function textOf(done: Outcome, email: string): string {
  switch (done) {
    case 'profile':
      return 'Your profile is saved.'
    case 'password':
      return 'Your password is changed. Every other device is signed out.'
    case 'link':
      return `We have sent a message to ${email}. The link in it lets you set a password, for one hour.`
    case 'session':
      return 'That session has ended.'
    case 'sessions':
      return 'Every other session has ended.'
    case 'linked':
      return 'Linked. You can sign in with it from now on.'
    case 'unlinked':
      return 'Unlinked. It no longer signs you in.'
  }
}
