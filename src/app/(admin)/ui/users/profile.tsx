import { Detail, DetailList } from '@/ui/page-parts'
import { Badge, LocalTime } from '@/ui/text'
import { statusLabels } from '../status-labels'

interface ProfileProps {
  user: {
    id: string
    email: string
    role: string
    createdAt: Date
    emailVerifiedAt: Date | undefined
  }
  activity: {
    status: keyof typeof statusLabels
    lastSeenAt: Date | undefined
    methods: readonly string[]
    isFrozen: boolean
  }
}

export function Profile({ user, activity }: ProfileProps) {
  const { status, lastSeenAt, methods, isFrozen } = activity
  return (
    <>
      <p className="mb-6 flex flex-wrap items-center gap-2">
        <bdi className="break-all text-muted">{user.email}</bdi>
        <Badge tone={user.role === 'admin' ? 'warning' : 'neutral'}>{user.role}</Badge>
        <Badge tone={status === 'active' ? 'positive' : 'neutral'}>{statusLabels[status]}</Badge>
        {isFrozen && <Badge tone="danger">{statusLabels.frozen}</Badge>}
        {!user.emailVerifiedAt && <Badge tone="warning">Email not verified</Badge>}
      </p>
      <DetailList>
        <Detail label="Joined">
          <LocalTime at={user.createdAt} precision="minute" />
        </Detail>
        <Detail label="Last seen">
          {lastSeenAt ? <LocalTime at={lastSeenAt} precision="relative" /> : 'Never'}
        </Detail>
        <Detail label="Sign-in methods">{methods.join(', ') || 'None'}</Detail>
        <Detail label="ID">
          <code className="font-mono text-xs">{user.id}</code>
        </Detail>
      </DetailList>
    </>
  )
}
