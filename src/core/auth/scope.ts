import type { Role } from '@/core/auth/roles'

/** Who is signed in, with the columns that may be shown. */
type Person = { id: string; email: string; name: string; role: Role }

/** A session that is alive now; the token itself is not part of it. */
export type LiveSession = {
  id: string
  user: Person
  createdAt: Date
  expiresAt: Date
}

/** On whose behalf something is done, and from where. Every data function takes it first. */
export type Scope = {
  session: LiveSession | undefined
  /** A live bearer token authenticated it: no cookie took part. */
  bearer: boolean
  address: string
  requestId: string
}
