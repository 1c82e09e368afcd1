import { encodeSessionCursor, type listUserSessions } from 'plinth/auth/sessions/list'
import type { Cursor } from 'plinth/db/list'
import { deviceOf } from 'plinth/universal/device'
import { urlWith } from 'plinth/universal/url'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { Pagination } from '@/ui/list'
import { revokeAllUserSessions, revokeUserSession } from '../../../actions'
import { SessionTable } from '../../../ui/users/session-table'

interface SessionsProps {
  page: Awaited<ReturnType<typeof listUserSessions>>
  cursor: Cursor | undefined
  user: { id: string; name: string }
  /** The session of the admin. */
  current: string
  isSelf: boolean
  /** The session to revoke, from `?revoke=`. */
  selected: string | undefined
}

export function Sessions(props: SessionsProps) {
  const { page, cursor, user, current, isSelf, selected } = props
  const { id, name } = user
  const { sessions, next, previous } = page
  const pageUrl = (to: Cursor | undefined) =>
    `${urlWith(`/admin/users/${id}`, { sessions: to && encodeSessionCursor(to) })}#sessions`
  return (
    <>
      <SessionTable
        sessions={sessions.map(({ id, userAgent, ip, createdAt, expiresAt }) => ({
          id,
          device: deviceOf(userAgent),
          ip: ip ?? 'unknown',
          createdAt,
          expiresAt,
          ...(id === current && { isCurrent: true }),
        }))}
        user={{ name }}
        fields={{ userId: id, ...(cursor && { sessions: encodeSessionCursor(cursor) }) }}
        revoke={revokeUserSession}
        selected={selected}
        href={pageUrl(cursor)}
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
            {isSelf ? (
              <p>
                This is your own account: you are signed out on all devices, also on this one, and
                have to sign in again.
              </p>
            ) : (
              <p>
                <bdi>{name}</bdi> will be signed out on all devices and can sign in again.
              </p>
            )}
          </ConfirmButton>
        </div>
      )}
    </>
  )
}
