import { encodeSessionCursor } from 'plinth/auth/sessions/list'
import type { Cursor } from 'plinth/db/list'
import { deviceOf } from 'plinth/universal/device'
import { urlWith } from 'plinth/universal/url'
import { ConfirmButton } from '@/ui/forms/confirm-button'
import { Pagination } from '@/ui/list'
import { revokeOtherSessions, revokeSession } from '../../actions'
import type { listSessions } from '../../data/sessions'
import { SessionList } from '../../ui/session-list'

interface SessionsProps {
  page: Awaited<ReturnType<typeof listSessions>>
  cursor: Cursor | undefined
  /** The session to revoke, from `?revoke=`. */
  selected: string | undefined
}

export function Sessions({ page: { sessions, next, previous }, cursor, selected }: SessionsProps) {
  return (
    <>
      <SessionList
        sessions={sessions.map(({ id, current, userAgent, ip, createdAt, lastSeenAt }) => ({
          id,
          current,
          device: deviceOf(userAgent),
          ip: ip ?? 'unknown',
          createdAt,
          lastSeenAt,
        }))}
        revoke={revokeSession}
        cursor={cursor && encodeSessionCursor(cursor)}
        selected={selected}
        href={sessionsUrl(cursor)}
      />
      <p className="mt-3 text-xs text-muted">“Last seen” is updated at most once a day.</p>
      <Pagination
        label="Pages of sessions"
        previousHref={previous && sessionsUrl(previous)}
        nextHref={next && sessionsUrl(next)}
      />
      {sessions.some(({ current }) => !current) && <RevokeOthers />}
    </>
  )
}

function RevokeOthers() {
  return (
    <div className="mt-5">
      <ConfirmButton
        id="revoke-others"
        action={revokeOtherSessions}
        label="Revoke all other sessions"
        title="Revoke all other sessions?"
        confirm="Revoke sessions"
      >
        <p>You will be signed out on all devices except this one.</p>
      </ConfirmButton>
    </div>
  )
}

function sessionsUrl(cursor: Cursor | undefined): string {
  return urlWith('/account/sessions', { sessions: cursor && encodeSessionCursor(cursor) })
}
