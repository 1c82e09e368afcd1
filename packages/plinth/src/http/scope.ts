import type { Role, Theme } from '#universal/users'

/** The columns of a user that their own session may show. */
export type SessionUser = {
  id: string
  email: string
  name: string
  role: Role
  /** Preferences, which the API does not return. Absent: the browser decides. */
  timeZone?: string | null | undefined
  theme?: Theme | null | undefined
}

/** A live session. The token is not part of it. */
export type Session = {
  id: string
  user: SessionUser
  createdAt: Date
  expiresAt: Date
  /** When the user last proved who they are. */
  authenticatedAt: Date
  /** `password`, `link`, or the id of an OAuth provider. */
  authenticatedBy: string
}

/** The caller of an operation. Data functions take it first. */
export type Scope = {
  session: Session | undefined
  /** Authenticated by a live bearer token and not by the cookie. */
  bearer: boolean
  ip: string
  requestId: string
  /** Stored with a new session, so that its user recognizes the device. */
  userAgent?: string | undefined
  /** The device cookie, unverified. */
  device?: string | undefined
}

/**
 * The time zone that the user chose. Undefined: that of the browser, which the server does not know.
 *
 * @public For modules that read or show days.
 */
export function timeZoneOf({ session }: Pick<Scope, 'session'>): string | undefined {
  return session?.user.timeZone ?? undefined
}
