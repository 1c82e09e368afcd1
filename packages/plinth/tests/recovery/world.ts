import type { MethodKind } from '#db/schema'
import {
  type Change,
  emailsOf,
  judgeChange,
  lifetimes,
  liveChanges,
  type Method,
  methodsAt,
  type Target,
} from '#recovery/history'
import {
  type Account,
  openRecovery,
  planCompletion,
  type Recovery,
  targetOf,
} from '#recovery/recovery'
import type { Rule } from './removed-rules'

/** `holder` reads the mailbox that the owner has left, and has nothing else. */
export type Actor = 'owner' | 'thief' | 'holder'

export type Owned = Method & { of: Actor; knownTo?: Actor[] }

/** One account, the users around it, and their mailboxes. Uses the rules of core and no database. */
export type World = {
  now: number
  email: string
  deleted: boolean
  methods: Owned[]
  /** Removed methods, to find out whose they are when they come back. */
  history: Owned[]
  changes: Change[]
  recovery: Recovery | undefined
  openedBy: Actor | undefined
  sessions: Actor[]
  rememberedThief: boolean
  /** Readers by mailbox. */
  mailboxes: Record<string, Actor>
  /** The reader of each notice when it arrived, by the id of its change. */
  received: Record<string, Actor | undefined>
  /** Once the owner has left a mailbox, the holder reads it. */
  withHolder: boolean
  /** Ids of the owner's methods that have to be there in the end. */
  lasting: string[]
  /** The thief once something is changed, the holder once a link is used. */
  attackers: Actor[]
  /** The things that the thief has besides a session. */
  stolen: readonly string[]
  /** With less than the rules ask for, the thief has added a factor or deleted the account. */
  breach: boolean
  /** The account was deleted while no link was alive, which is final. */
  erased: boolean
  without: Rule | undefined
}

/** Steps replace its parts and never change them. */
export function clone(world: World): World {
  return { ...world }
}

export const reads = (world: World, actor: Actor, email: string) => world.mailboxes[email] === actor

export const has = (world: World, actor: Actor, ...kinds: MethodKind[]) =>
  world.methods.some((method) => kinds.includes(method.kind) && isUsableBy(actor, method))

const isUsableBy = (actor: Actor, { of, knownTo = [] }: Owned) =>
  of === actor || knownTo.includes(actor)

export const exists = (world: World, ...kinds: MethodKind[]) =>
  world.methods.some(({ kind }) => kinds.includes(kind))

export const isProtected = (world: World) => exists(world, 'app', 'passkey')

export const isFrozen = ({ recovery, without }: World) =>
  recovery !== undefined && without !== 'frozen account'

export function canSignIn(world: World, actor: Actor): boolean {
  if (world.deleted || isFrozen(world)) return false
  if (has(world, actor, 'passkey')) return true
  const first = has(world, actor, 'password', 'provider') || reads(world, actor, world.email)
  const isRemembered = actor === 'thief' && world.rememberedThief
  const second = !isProtected(world) || isRemembered || has(world, actor, 'app', 'codes')
  return first && second
}

/** A session that lives counts as recent, which favors the thief. */
export function hasSession(world: World, actor: Actor): boolean {
  return !world.deleted && (world.sessions.includes(actor) || canSignIn(world, actor))
}

/** Proof that is given for adding a factor or for deleting the account. */
export function mayChangeFactors(world: World, actor: Actor): boolean {
  if (world.without === 'proof for a factor') return true
  const first = exists(world, 'password')
    ? has(world, actor, 'password')
    : reads(world, actor, world.email) &&
      (!exists(world, 'provider') || has(world, actor, 'provider'))
  if (!isProtected(world)) return first
  return has(world, actor, 'app', 'passkey') || (first && has(world, actor, 'codes'))
}

type NewChange = {
  actor: Actor
  newEmail?: string
  added?: Owned[]
  removed?: Owned[]
  confirm?: boolean
}

/** The only way in which the world changes a sign-in method. */
export function change(world: World, given: NewChange): void {
  const { actor, newEmail = world.email, added = [], removed = [], confirm = false } = given
  const factor = world.methods.find(
    ({ kind, of }) => of === actor && (kind === 'app' || kind === 'passkey'),
  )
  const confirmedBy = confirm ? factor : undefined
  const { now: at, email, without } = world
  const facts = { at, email, newEmail, by: 'user' as const }
  const judged = judgeChange(world.changes, { ...facts, confirmedBy })
  if (without === 'links that do not replace each other') {
    world.changes = world.changes.map((earlier) =>
      earlier.email === email ? { ...earlier, link: 'ended' } : earlier,
    )
  }
  const id = String(world.changes.length)
  const noticeTo = without === 'notice to the email before the change' ? newEmail : email
  const made = { id, ...facts, email: noticeTo, added, removed, deliveredAt: at, ...judged }
  world.changes = [...world.changes, made]
  world.received = { ...world.received, [id]: world.mailboxes[noticeTo] }
  world.email = newEmail
  if (actor === 'thief') attack(world, actor)
  if (actor === 'owner') {
    world.lasting = world.lasting.filter((id) => !removed.some((method) => method.id === id))
  }
  world.methods = [...world.methods.filter((method) => !removed.includes(method)), ...added]
  world.history = [...world.history, ...removed]
}

function attack(world: World, actor: Actor): void {
  if (!world.attackers.includes(actor)) world.attackers = [...world.attackers, actor]
}

export type Link = Pick<Change, 'email' | 'at'>

/**
 * Links that the actor has received, or finds in a mailbox. While a recovery is open all emails of
 * the window have one.
 */
export function linksOf(world: World, actor: Actor): Link[] {
  const { recovery, now, received } = world
  const account = rulesOf(world)
  const live = liveChanges(account.changes, recovery?.openedAt ?? now)
  const found: Link[] = live.filter(
    ({ id, email }) => received[id] === actor || reads(world, actor, email),
  )
  const target = recovery && world.without !== 'objections' && targetOf(account, now)
  if (!target) return found
  const emails = emailsOf(target).filter((email) => reads(world, actor, email))
  return [...found, ...emails.map((email) => ({ email, at: target.at }))]
}

/** The account as the rules of the engine see it. A removed rule is removed here. */
function rulesOf(world: World): Account {
  const { changes, methods, recovery, without, now } = world
  if (without !== 'links that later changes extend') return { changes, methods, recovery }
  const shortened = changes.map((change): Change => {
    const end = (change.deliveredAt ?? 0) + lifetimes.link
    return end <= (recovery?.openedAt ?? now) ? { ...change, link: 'ended' } : change
  })
  return { changes: shortened, methods, recovery }
}

/** Every method that the actor can prove, also one that was removed since. */
function proofsOf(world: World, actor: Actor): Method[] {
  return [...world.methods, ...world.history].filter((method) => isUsableBy(actor, method))
}

/** Uses a link to an email with all proofs that the actor has. True if it completes the recovery. */
export function followLink(world: World, actor: Actor, { email, at }: Link): boolean {
  const { without, now } = world
  const account = rulesOf(world)
  const seen =
    without === 'target before the oldest change'
      ? { ...account, changes: account.changes.filter((change) => change.at >= at) }
      : account
  const proofs = proofsOf(world, actor)
  const hasLeftEmail = !reads(world, actor, targetOf(seen, now)?.email ?? '')
  let opening = openRecovery(seen, { email, proofs, hasLeftEmail, now })
  if (opening.result === 'invalid') return false
  const { target } = opening
  if (opening.result === 'frozen' && isGenerous(world, target, email, proofs)) {
    opening = { result: 'complete', target, strength: 'weak' }
  }
  endOtherProofs(world)
  if (opening.result === 'frozen') {
    world.recovery = opening.recovery
    world.openedBy ??= actor
    if (actor === 'holder') attack(world, actor)
    return false
  }
  const { strength } = opening
  const { methods } = account
  const kept = world.methods.filter(({ of }) => of === actor)
  const own = emailsOf(target).findLast((email) => reads(world, actor, email))
  const plan = planCompletion(target, methods, { strength, proofs, email: own, kept })
  const known = [...world.methods, ...world.history]
  const isIn = (methods: Method[], { kind, id }: Method) =>
    methods.some((method) => method.kind === kind && method.id === id)
  const removed = without === 'additions are removed' ? [] : plan.removed
  const restored =
    without === 'removed methods come back'
      ? []
      : without === 'old passwords stay away'
        ? methodsAt(target, methods)
        : plan.restored
  const password: Owned = { kind: 'password', id: `new ${world.now}`, of: actor }
  world.methods = [
    ...world.methods.filter((method) => !isIn(removed, method) && !isIn(restored, method)),
    ...known.filter((method, index) => isIn(restored, method) && known.indexOf(method) === index),
    ...(plan.needsPassword ? [password] : []),
    ...(plan.needsCodes ? [{ kind: 'codes' as const, id: `new ${world.now}`, of: actor }] : []),
  ]
  world.email = plan.email
  world.deleted = false
  world.recovery = undefined
  world.openedBy = undefined
  world.changes =
    without === 'other links end'
      ? world.changes.filter((change) => change.at !== at)
      : world.changes.map((other) => ({ ...other, link: 'ended' as const }))
  return true
}

/** Opening ends them. */
function endOtherProofs(world: World): void {
  if (world.without !== 'opening ends sessions') world.sessions = []
  if (world.without !== 'opening forgets browsers') world.rememberedThief = false
}

/** Completes where the table of proofs says no. */
function isGenerous(
  { without }: World,
  target: Target,
  email: string,
  proofs: readonly Method[],
): boolean {
  const has = (...kinds: MethodKind[]) =>
    kinds.every((kind) => proofs.some((proof) => proof.kind === kind))
  switch (without) {
    case 'wait without proof':
      return email === target.email
    case 'admin for a later email':
      return has('password') || has('codes')
    case 'proof older than the target':
      return has('app') || has('passkey') || has('provider')
    case 'password with code at the target only':
      return has('password', 'codes')
    default:
      return false
  }
}
