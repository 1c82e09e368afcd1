import { lifetimes } from '#recovery/history'
import { type Outcome, outcomeOf, reactOfOwner } from './outcome'
import type { Rule } from './removed-rules'
import { type Step, steps } from './steps'
import { type Actor, clone, type Owned, type World } from './world'

const dayMs = 24 * 60 * 60 * 1000

/** The things that each thief has besides a fresh session. */
export const thieves = {
  session: [],
  password: ['password'],
  'remembered browser': ['password', 'browser'],
  'recovery code': ['codes'],
  'password and recovery code': ['password', 'codes'],
} as const

export type Thief = keyof typeof thieves

/** The owner's sign-in methods. */
export const accounts = {
  mailbox: [],
  password: ['password'],
  provider: ['provider'],
  'password and provider': ['password', 'provider'],
  app: ['password', 'app', 'codes'],
  passkey: ['password', 'passkey', 'codes'],
  'provider and app': ['provider', 'app', 'codes'],
} as const

export type AccountKind = keyof typeof accounts

export function newWorld(
  account: AccountKind,
  thief: Thief,
  { withHolder, without }: { withHolder: boolean; without?: Rule | undefined },
): World {
  const stolen: readonly string[] = thieves[thief]
  const methods = accounts[account].map((kind): Owned => {
    const knownTo: Actor[] = stolen.includes(kind) ? ['thief'] : []
    return { kind, id: `first ${kind}`, of: 'owner', knownTo }
  })
  return {
    now: 0,
    email: 'old@owner',
    deleted: false,
    methods,
    history: [],
    changes: [],
    recovery: undefined,
    openedBy: undefined,
    sessions: ['owner', 'thief'],
    rememberedThief: stolen.includes('browser'),
    mailboxes: {
      'old@owner': 'owner',
      'new@owner': 'owner',
      'one@thief': 'thief',
      'two@thief': 'thief',
    },
    received: {},
    withHolder,
    lasting: methods.filter(({ kind }) => isLasting(kind)).map(({ id }) => id),
    attackers: [],
    stolen,
    breach: false,
    erased: false,
    without,
  }
}

const isLasting = (kind: string) => kind !== 'password' && kind !== 'codes'

/** Time before a step. A link lives for seven days, so the owner is in time. */
const pauses = [0, 6 * dayMs]

export type Played = { story: string[]; outcome: Outcome }

/** Plays every order of at most `length` steps that the actors can do, and judges each. */
export function* play(world: World, length: number, story: string[] = []): Generator<Played> {
  if (isJudged(world)) yield { story, outcome: outcomeOf(world) }
  if (length === 0 || world.erased) return
  for (const step of steps) {
    for (const pause of story.length === 0 ? [0] : pauses) {
      const next = take(world, step, pause)
      if (next) yield* play(next, length - 1, [...story, nameOf(step, pause)])
    }
  }
}

/** The owner follows no link before an attack. An account that was deleted for good cannot come back. */
function isJudged({ attackers, erased, breach }: World): boolean {
  return breach || (attackers.length > 0 && !erased)
}

function nameOf({ name }: Step, pause: number): string {
  return pause === 0 ? name : `${pause / dayMs} days later, ${name}`
}

/** A seeded sample of orders with this many steps. */
export function* playSample(world: World, length: number, seed: number): Generator<Played> {
  const random = randomFrom(seed)
  for (;;) {
    let current = world
    const story: string[] = []
    for (let tries = 0; story.length < length && tries < 400 && !current.erased; tries += 1) {
      const step = steps[Math.floor(random() * steps.length)]
      const pause = pauses[Math.floor(random() * pauses.length)] ?? 0
      const next = step && take(current, step, story.length === 0 ? 0 : pause)
      if (!next) continue
      current = next
      story.push(nameOf(step, pause))
    }
    if (story.length === length && isJudged(current)) yield { story, outcome: outcomeOf(current) }
  }
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Undefined if the actor cannot do it then. */
function take(world: World, step: Step, pause: number): World | undefined {
  if (step.actor === 'holder' && !world.withHolder) return undefined
  const next = clone(world)
  advance(next, pause)
  return step.run(next) ? next : undefined
}

/** The owner reacts at the latest to the mail that reminds of the end of the wait. */
function advance(world: World, pause: number): void {
  const { recovery, openedBy } = world
  const end = world.now + pause
  const remindedAt = (recovery?.readyAt ?? 0) - lifetimes.reminder
  if (recovery?.state === 'waiting' && openedBy !== 'owner' && end >= remindedAt) {
    world.now = Math.max(world.now, remindedAt)
    reactOfOwner(world)
  }
  world.now = end
}
