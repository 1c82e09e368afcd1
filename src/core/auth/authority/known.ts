import 'server-only'
import { type PublicSession, publicSession } from '@/core/auth/public-session'
import type { Role } from '@/core/auth/roles'
import type { LiveSession } from '@/core/auth/scope'
import { extendableFrom } from '@/core/auth/session-length'

/** However long a session lasts, it is asked for again after this. */
const longest = 60_000

/** A session and its person as the database gives them, its moments in milliseconds. */
export type Row = {
  id: string
  userId: string
  email: string
  name: string
  role: Role
  created: number
  expires: number
  remaining: number
}

/**
 * What is known of a token. There may be a hundred thousand in memory, so it is one flat object, and
 * the session is made of it when it is asked for. What has to do with remembering it is on the clock
 * of `performance.now()`.
 */
export class Known {
  readonly id: string
  readonly userId: string
  /** What the person is told, as it is sent. */
  readonly body: string
  readonly created: number
  readonly expires: number
  /** From when on it is worth a write to let it last longer. */
  readonly extendFrom: number
  /** Until when it can be believed. */
  readonly until: number
  /** When it was last put in the order of use. */
  movedAt = Number.NEGATIVE_INFINITY

  constructor({ id, userId, email, name, role, created, expires, remaining }: Row, asked: number) {
    this.id = id
    this.userId = userId
    this.created = Math.round(created)
    this.expires = Math.round(expires)
    const user = { id: userId, email, name, role }
    this.body = JSON.stringify(publicSession({ user, expiresAt: new Date(this.expires) }))
    this.extendFrom = asked + extendableFrom(this.created, this.expires) - Date.now()
    this.until = asked + Math.min(longest, remaining)
  }

  get session(): LiveSession {
    const { user }: PublicSession = JSON.parse(this.body)
    const { id, created, expires } = this
    return { id, user, createdAt: new Date(created), expiresAt: new Date(expires) }
  }
}
