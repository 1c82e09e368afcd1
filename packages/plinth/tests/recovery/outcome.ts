import { lifetimes } from '#recovery/history'
import { type Actor, canSignIn, clone, followLink, linksOf, reads, type World } from './world'

/** `owner`: the owner has the account. `admin`: it is frozen until an admin decides. */
export type Outcome = 'owner' | 'admin' | { failure: string }

/** The owner follows the best link that is alive. The others do what they can about it. */
export function outcomeOf(world: World): Outcome {
  if (world.breach) return { failure: 'a session alone was enough' }
  if (!world.recovery) {
    const found = weakness(world)
    if (!found) return 'owner'
    return best(followOwnLinks(world)) ?? { failure: found }
  }
  return judgeOpen(world)
}

function followOwnLinks(world: World): Outcome[] {
  return linksOf(world, 'owner').map((link): Outcome => {
    const next = clone(world)
    return followLink(next, 'owner', link) ? judgeCompleted(next) : judgeOpen(next)
  })
}

function best(outcomes: readonly Outcome[]): Outcome | undefined {
  const found = (wanted: Outcome) => outcomes.find((outcome) => outcome === wanted)
  return found('owner') ?? found('admin') ?? outcomes[0]
}

function judgeCompleted(world: World): Outcome {
  const failure = weakness(world)
  return failure ? { failure } : 'owner'
}

function judgeOpen(world: World): Outcome {
  const stolen = completedByOthers(world)
  if (stolen) return stolen
  const isWaiting = world.recovery?.state === 'waiting'
  if (isWaiting && world.openedBy === 'owner') return afterWait(world)
  const next = clone(world)
  if (reactOfOwner(next)) return judgeCompleted(next)
  if (next.recovery?.state === 'admin') return completedByOthers(next) ?? 'admin'
  return { failure: 'the owner could not object' }
}

/** The owner has read that a recovery is open. True if that completes it. */
export function reactOfOwner(world: World): boolean {
  return linksOf(world, 'owner').some((link) => followLink(world, 'owner', link))
}

/** The owner has opened it without enough proof. */
function afterWait(world: World): Outcome {
  for (const actor of world.attackers) {
    for (const link of linksOf(world, actor)) {
      const next = clone(world)
      followLink(next, actor, link)
      if (next.recovery?.state === 'waiting') continue
      const stolen = completedByOthers(next)
      if (stolen) return stolen
    }
  }
  const next = clone(world)
  next.now = Math.max(next.now, world.recovery?.readyAt ?? 0)
  return reactOfOwner(next) ? judgeCompleted(next) : { failure: 'the wait has no end' }
}

function completedByOthers(world: World): Outcome | undefined {
  for (const actor of world.attackers) {
    for (const link of linksOf(world, actor)) {
      if (followLink(clone(world), actor, link)) return { failure: `the ${actor} completes it` }
    }
  }
  return undefined
}

/** Why the account is not the owner's alone. */
export function weakness(world: World): string | undefined {
  if (world.deleted) return 'the account is deleted'
  if (!reads(world, 'owner', world.email)) return 'the email is not of the owner'
  if (!canSignIn(world, 'owner')) return 'the owner cannot sign in'
  if (!hasOwnMethods(world)) return 'a method of the owner is missing'
  for (const actor of world.attackers) {
    const found = belongingsOf(world, actor) ?? stolenLater(world, actor)
    if (found) return found
  }
  return undefined
}

function hasOwnMethods({ methods, lasting }: World): boolean {
  return lasting.every((id) => methods.some((method) => method.id === id))
}

function belongingsOf(world: World, actor: Actor): string | undefined {
  const { sessions, methods, rememberedThief } = world
  if (sessions.includes(actor)) return `the ${actor} has a session`
  if (actor === 'thief' && rememberedThief) return 'the thief has a remembered browser'
  if (canSignIn(world, actor)) return `the ${actor} can sign in`
  const isTheirs = methods.some(({ of, knownTo = [] }) => of === actor || knownTo.includes(actor))
  return isTheirs ? `the ${actor} has a sign-in method` : undefined
}

/** A link that is still alive must not win, now or after the wait. */
function stolenLater(world: World, actor: Actor): string | undefined {
  for (const link of linksOf(world, actor)) {
    const next = clone(world)
    if (followLink(next, actor, link)) return `a link of the ${actor} wins`
    if (next.recovery?.state !== 'waiting') continue
    next.now += lifetimes.wait - lifetimes.reminder
    reactOfOwner(next)
    if (next.recovery?.state === 'waiting') return `a link of the ${actor} wins after the wait`
  }
  return undefined
}
