import type { MethodKind } from '#db/schema'

/**
 * The history of an account's sign-in methods, and what its links can restore. Pure: docs/decisions/0039
 * has the rules, and a test runs every order of events over them.
 */

/** A sign-in method: a password, a factor or a linked account. `id` tells one from its replacement. */
export type Method = { kind: MethodKind; id: string }

export type Change = {
  id: string
  at: number
  /** The email of the account before the change. The notice goes there. */
  email: string
  newEmail: string
  added: readonly Method[]
  removed: readonly Method[]
  by: 'user' | 'admin'
  /** The user gave an older factor for this very change, so it was not a thief. */
  confirmed: boolean
  /** It deleted the account, which a recovery brings back. */
  deletes?: boolean
  /** `none`: its notice is sent without one. `ended`: it was used, or a recovery made it useless. */
  link: 'none' | 'open' | 'ended'
  /** The time at which the mail server accepted the notice. */
  deliveredAt: number | undefined
  /** The end of a recovery that an admin has rejected, or that was abandoned. */
  heldUntil?: number
}

const dayMs = 24 * 60 * 60 * 1000

/** In milliseconds. */
export const lifetimes = {
  link: 7 * dayMs,
  /** A link that was delivered later than this counts as delivered then. */
  delivery: dayMs,
  /** However many changes follow. */
  longestLink: 30 * dayMs,
  /** Without proof. */
  wait: 3 * dayMs,
  /** Before the end of the wait. */
  reminder: dayMs,
  /** For completing a recovery after the wait, or after an admin has allowed it. */
  completion: 7 * dayMs,
}

/**
 * The end of each link, by the id of its change. A later change extends the links before it: a thief
 * could otherwise wait for the first one to end. `changes` are in the order of their times.
 */
export function linkEnds(changes: readonly Change[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const [index, change] of changes.entries()) {
    const end = ownEnd(change)
    for (const earlier of changes.slice(0, index)) {
      const current = ends.get(earlier.id)
      if (current === undefined || current <= change.at) continue
      ends.set(earlier.id, Math.max(current, Math.min(end, earlier.at + lifetimes.longestLink)))
    }
    if (change.link !== 'none') ends.set(change.id, end)
  }
  return ends
}

/** While a recovery froze the account its owner could not use the link. */
function ownEnd({ at, deliveredAt = Number.POSITIVE_INFINITY, heldUntil = 0 }: Change): number {
  return Math.max(Math.min(deliveredAt, at + lifetimes.delivery), heldUntil) + lifetimes.link
}

/** Changes whose links work at this time. */
export function liveChanges(changes: readonly Change[], now: number): Change[] {
  if (!changes.some(({ link }) => link === 'open')) return []
  const ends = linkEnds(changes)
  return changes.filter(({ id, link }) => link === 'open' && (ends.get(id) ?? 0) > now)
}

/** The state before the oldest change with a live link. */
export type Target = {
  at: number
  email: string
  /** All changes since, oldest first. */
  window: readonly Change[]
}

export function findTarget(changes: readonly Change[], now: number): Target | undefined {
  const [oldest] = liveChanges(changes, now)
  if (!oldest) return undefined
  return { at: oldest.at, email: oldest.email, window: changes.slice(changes.indexOf(oldest)) }
}

/** The account's emails at the target and since. */
export function emailsOf({ email, window }: Target): string[] {
  return [...new Set([email, ...window.map(({ newEmail }) => newEmail)])]
}

/**
 * The methods at the target, from the current ones. Methods that an admin has removed since then stay
 * removed: a lost phone is not a proof.
 */
export function methodsAt({ window }: Target, current: readonly Method[]): Method[] {
  return window.reduceRight<Method[]>(
    (methods, { added, removed, by }) => [
      ...methods.filter((method) => !includes(added, method)),
      ...(by === 'admin' ? [] : removed),
    ],
    [...current],
  )
}

export function includes(methods: readonly Method[], { kind, id }: Method): boolean {
  return methods.some((method) => method.kind === kind && method.id === id)
}

type NewChange = Pick<Change, 'at' | 'email' | 'newEmail' | 'by'> & {
  /** The app or passkey that the user gave for this very change. */
  confirmedBy: Method | undefined
}

/**
 * Whether the change is confirmed, and whether its notice has a link. A confirmed one needs none. The
 * email that is left by a change back gets none: the owner who returns must not hand the account to
 * the thief's mailbox.
 */
export function judgeChange(
  changes: readonly Change[],
  { at, email, newEmail, by, confirmedBy }: NewChange,
): Pick<Change, 'confirmed' | 'link'> {
  const live = liveChanges(changes, at)
  const window = findTarget(changes, at)?.window ?? []
  const isOlder = confirmedBy && !window.some(({ added }) => includes(added, confirmedBy))
  const confirmed = by === 'user' && isOlder === true
  const isReturn = newEmail !== email && live.some((earlier) => earlier.email === newEmail)
  const needsLink = by === 'user' && !confirmed && !isReturn
  return { confirmed, link: needsLink ? 'open' : 'none' }
}
