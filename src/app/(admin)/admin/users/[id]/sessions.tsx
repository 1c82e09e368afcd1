import { encodeSessionCursor, type listUserSessions } from '@/core/auth/sessions/list'
import type { Cursor } from '@/core/db/list/cursor'
import { ConfirmButton } from '@/core/ui/confirm-button'
import { Pagination } from '@/core/ui/pagination'
import { urlWith } from '@/core/ui/url'
import { revokeAllUserSessions, revokeUserSession } from '../../../actions'
import { SessionTable } from '../../../ui/session-table'

interface SessionsProps {
  page: Awaited<ReturnType<typeof listUserSessions>>
  cursor: Cursor | undefined
  user: { id: string; name: string }
}

export function Sessions({ page, cursor, user: { id, name } }: SessionsProps) {
  const { sessions, next, previous } = page
  const pageUrl = (to: Cursor) =>
    `${urlWith(`/admin/users/${id}`, { sessions: encodeSessionCursor(to) })}#sessions`
  return (
    <>
      <SessionTable
        sessions={sessions}
        fields={{ userId: id, ...(cursor && { sessions: encodeSessionCursor(cursor) }) }}
        revoke={revokeUserSession}
      />
      <Pagination
        label="Pages of sessions"
        previousHref={previous && pageUrl(previous)}
        nextHref={next && pageUrl(next)}
      />
      {sessions.length > 0 && (
        <div className="mt-4">
          <ConfirmButton
            id="revoke-sessions"
            action={revokeAllUserSessions}
            fields={{ userId: id }}
            label="Revoke all sessions"
            title="Revoke all sessions?"
            confirm="Revoke sessions"
          >
            <p>{name} will be signed out on all devices and can sign in again.</p>
          </ConfirmButton>
        </div>
      )}
    </>
  )
}
