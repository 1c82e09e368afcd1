import type { MethodKind } from '#db/schema'
import { liveChanges } from '#recovery/history'
import {
  type Actor,
  change,
  exists,
  followLink,
  has,
  hasSession,
  isFrozen,
  isProtected,
  linksOf,
  mayChangeFactors,
  type Owned,
  reads,
  type World,
} from './world'

/** `run` returns false if the actor cannot do it now. */
export type Step = { name: string; actor: Actor; run: (world: World) => boolean }

const changesOf = (actor: Actor): Step[] => [
  ...(actor === 'owner' ? ['new@owner', 'old@owner'] : ['one@thief', 'two@thief']).map((email) =>
    step(actor, `change the email to ${email}`, (world) => changeEmail(world, actor, email)),
  ),
  step(actor, 'change the password', (world) => changePassword(world, actor)),
  step(actor, 'add an app', (world) => addFactor(world, actor, 'app')),
  step(actor, 'add a passkey', (world) => addFactor(world, actor, 'passkey')),
  step(actor, 'create recovery codes', (world) => createCodes(world, actor)),
  step(actor, 'remove the app', (world) => removeFactors(world, actor, 'app')),
  step(actor, 'remove the passkeys', (world) => removeFactors(world, actor, 'passkey')),
  step(actor, 'link a provider', (world) => linkProvider(world, actor)),
  step(actor, 'unlink providers', (world) => unlinkProviders(world, actor)),
  step(actor, 'delete the account', (world) => deleteAccount(world, actor)),
]

const linkStepsOf = (actor: Actor): Step[] =>
  [0, 1, 2].map((index) =>
    step(actor, `follow link ${index}`, (world) => {
      const link = linksOf(world, actor)[index]
      if (!link) return false
      followLink(world, actor, link)
      return true
    }),
  )

export const steps: readonly Step[] = [
  ...changesOf('thief'),
  ...changesOf('owner'),
  ...linkStepsOf('thief'),
  ...linkStepsOf('owner'),
  ...linkStepsOf('holder'),
]

function step(actor: Actor, name: string, run: Step['run']): Step {
  return { name: `${actor}: ${name}`, actor, run }
}

const mayChange = (world: World, actor: Actor) => !isFrozen(world) && hasSession(world, actor)

const newMethod = (world: World, actor: Actor, kind: MethodKind): Owned => ({
  kind,
  id: `${actor} ${world.changes.length}`,
  of: actor,
})

const ofKind = (world: World, ...kinds: MethodKind[]) =>
  world.methods.filter(({ kind }) => kinds.includes(kind))

function changeEmail(world: World, actor: Actor, newEmail: string): boolean {
  const isOwn = reads(world, actor, newEmail)
  if (!mayChange(world, actor) || world.email === newEmail || !isOwn) return false
  if (world.withHolder && actor === 'owner') {
    world.mailboxes = { ...world.mailboxes, [world.email]: 'holder' }
  }
  change(world, { actor, newEmail })
  revokeSessions(world, [actor])
  return true
}

/** With the current one, or with a reset link. */
function changePassword(world: World, actor: Actor): boolean {
  if (isFrozen(world) || world.deleted) return false
  const byReset = reads(world, actor, world.email)
  if (!byReset && !(has(world, actor, 'password') && hasSession(world, actor))) return false
  const removed = ofKind(world, 'password')
  const added = [newMethod(world, actor, 'password')]
  change(world, { actor, removed, added })
  revokeSessions(world, [])
  return true
}

/** It also forgets browsers. */
function revokeSessions(world: World, kept: readonly Actor[]): void {
  world.sessions = [...kept]
  world.rememberedThief = false
}

function addFactor(world: World, actor: Actor, kind: 'app' | 'passkey'): boolean {
  if (!mayChange(world, actor) || !mayChangeFactors(world, actor)) return false
  if (kind === 'app' && exists(world, 'app')) return false
  noteBreach(world, actor)
  const withCodes = exists(world, 'codes') ? [] : (['codes'] as const)
  const added = [kind, ...withCodes].map((added) => newMethod(world, actor, added))
  change(world, { actor, added, confirm: true })
  return true
}

function createCodes(world: World, actor: Actor): boolean {
  const isAllowed = isProtected(world) && mayChangeFactors(world, actor)
  if (!mayChange(world, actor) || !isAllowed) return false
  const removed = ofKind(world, 'codes')
  change(world, { actor, removed, added: [newMethod(world, actor, 'codes')], confirm: true })
  return true
}

/** Codes and remembered browsers go with the last factor. */
function removeFactors(world: World, actor: Actor, kind: 'app' | 'passkey'): boolean {
  const factors = ofKind(world, kind)
  if (!mayChange(world, actor) || factors.length === 0) return false
  if (!mayChangeFactors(world, actor)) return false
  noteBreach(world, actor)
  const isLast = ofKind(world, 'app', 'passkey').length === factors.length
  const removed = [...factors, ...(isLast ? ofKind(world, 'codes') : [])]
  change(world, { actor, removed, confirm: true })
  if (isLast) world.rememberedThief = false
  return true
}

function linkProvider(world: World, actor: Actor): boolean {
  const isLinked = world.methods.some(({ kind, of }) => kind === 'provider' && of === actor)
  if (!mayChange(world, actor) || isLinked) return false
  change(world, { actor, added: [{ kind: 'provider', id: actor, of: actor }] })
  return true
}

/** One way to sign in has to stay. */
function unlinkProviders(world: World, actor: Actor): boolean {
  const removed = ofKind(world, 'provider').filter(({ of }) => of !== actor)
  const stays = ofKind(world, 'password', 'provider').length > removed.length
  if (!mayChange(world, actor) || removed.length === 0 || !stays) return false
  change(world, { actor, removed })
  return true
}

function deleteAccount(world: World, actor: Actor): boolean {
  if (actor === 'owner') return false
  if (!mayChange(world, actor) || !mayChangeFactors(world, actor)) return false
  noteBreach(world, actor)
  const comesBack = liveChanges(world.changes, world.now).length > 0
  change(world, { actor })
  world.deleted = true
  world.sessions = []
  world.erased = !comesBack
  if (comesBack && world.without === 'deleted accounts come back') world.changes = []
  return true
}

/** As long as the thief has changed nothing, only a stolen password can prove anything. */
function noteBreach(world: World, actor: Actor): void {
  const isFirst = actor === 'thief' && !world.attackers.includes(actor)
  if (isFirst && !world.stolen.includes('password')) world.breach = true
}
