import type { ReactNode } from 'react'
import { Badge } from '@/core/ui/badge'
import { LocalTime } from '@/core/ui/local-time'

interface ProfileProps {
  user: {
    id: string
    email: string
    createdAt: Date
    emailVerifiedAt: Date | undefined
    hasPassword: boolean
  }
  providers: readonly string[]
}

export function Profile({ user, providers }: ProfileProps) {
  const methods = [...(user.hasPassword ? ['password'] : []), ...providers]
  return (
    <dl className="grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2 lg:grid-cols-4">
      <Entry term="Email">
        <span className="break-all">{user.email}</span>
        {!user.emailVerifiedAt && (
          <span className="ml-2">
            <Badge tone="warning">Not verified</Badge>
          </span>
        )}
      </Entry>
      <Entry term="Joined">
        <LocalTime at={user.createdAt} precision="minute" />
      </Entry>
      <Entry term="Sign-in methods">{methods.length > 0 ? methods.join(', ') : 'none'}</Entry>
      <Entry term="ID">
        <code className="font-mono text-xs">{user.id}</code>
      </Entry>
    </dl>
  )
}

function Entry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{term}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}
