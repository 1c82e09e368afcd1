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
  const ways = [...(user.hasPassword ? ['password'] : []), ...providers]
  return (
    <dl className="mt-5 grid gap-x-8 gap-y-4 text-sm sm:grid-cols-2 lg:grid-cols-4">
      <Entry term="E-mail">
        <span className="break-all">{user.email}</span>
        {!user.emailVerifiedAt && (
          <span className="ml-2">
            <Badge tone="warning">not verified</Badge>
          </span>
        )}
      </Entry>
      <Entry term="Joined">
        <LocalTime at={user.createdAt} precision="minute" />
      </Entry>
      <Entry term="Signs in with">
        {ways.length > 0 ? ways.join(', ') : 'nothing yet: no password, no provider'}
      </Entry>
      <Entry term="Id">
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
