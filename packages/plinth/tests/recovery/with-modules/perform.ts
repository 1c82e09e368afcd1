import { type Actor, exists, isProtected, type Owned, reads, type World } from '../world'
import {
  accountAt,
  emailOf,
  findToken,
  nextCode,
  requireSession,
  type Secret,
  type Story,
  secretsOf,
  storeSecret,
} from './story'
import type { Visitor } from './visitor'

/** The world after the step. */
type Perform = (story: Story, actor: Actor, next: World) => Promise<void>

/** Does over HTTP what a step of the world has done to `next`. */
export async function perform(
  story: Story,
  { name, actor }: { name: string; actor: Actor },
  next: World,
): Promise<void> {
  const [, run] = performs.find(([pattern]) => pattern.test(name)) ?? []
  if (!run) throw new Error(`No requests are known for "${name}".`)
  await run(story, actor, next)
}

const performs: readonly (readonly [RegExp, Perform])[] = [
  [/change the email to/, changeEmail],
  [/change the password/, changePassword],
  [/add an app/, addApp],
  [/create recovery codes/, createCodes],
  [/remove the app/, removeApp],
  [/unlink providers/, unlinkProviders],
  [/link a provider/, linkProvider],
  [/delete the account/, deleteAccount],
]

async function changeEmail(story: Story, actor: Actor, { email }: World): Promise<void> {
  const visitor = await requireSession(story, actor)
  await visitor.succeed('requestEmailChange', { email: emailOf(story, email) })
  const token = await findToken(story, email, /\/account\/email\/confirm\?token=([\w-]{43})/)
  await visitor.succeed('confirmEmailChange', { token })
}

/** With the current one if the actor knows it, else with a link to the account's email. */
async function changePassword(story: Story, actor: Actor, next: World): Promise<void> {
  const { world, visitors } = story
  const newPassword = `the ${next.changes.length}th password of the ${actor}`
  const [current] = secretsOf(story, actor, world.methods, 'password')
  if (current && !(reads(world, actor, world.email) && isProtected(world))) {
    const visitor = await requireSession(story, actor)
    await visitor.succeed('changePassword', { currentPassword: current.text, newPassword })
  } else {
    const visitor = visitors[actor]
    await visitor.succeed('requestPasswordReset', { email: emailOf(story, world.email) })
    const token = await findToken(story, world.email, /\/reset\?token=([\w-]{43})/)
    const linked = world.methods.filter(({ kind }) => kind === 'provider')
    const keep = linked.map(({ of }) => accountAt(story, of).provider)
    await visitor.succeed('resetPassword', { token, password: newPassword, keep })
  }
  storeAdded(story, next, 'password', { kind: 'password', text: newPassword })
}

async function addApp(story: Story, actor: Actor, next: World): Promise<void> {
  const visitor = await prove(story, actor, 'add_factor')
  await visitor.succeed('startAuthenticatorApp', { purpose: 'set_up' })
  const [, base32 = ''] =
    /secret=([A-Z2-7]+)/.exec(await visitor.html('/account/security/app')) ?? []
  const app = { kind: 'app' as const, key: fromBase32(base32), lastStep: 0 }
  const done = await visitor.succeed('confirmAuthenticatorApp', { code: await nextCode(app) })
  storeAdded(story, next, 'app', app)
  storeCodes(story, next, done)
}

async function createCodes(story: Story, actor: Actor, next: World): Promise<void> {
  const visitor = await prove(story, actor, 'add_factor')
  storeCodes(story, next, await visitor.succeed('createRecoveryCodes', {}))
}

async function removeApp(story: Story, actor: Actor): Promise<void> {
  const visitor = await prove(story, actor, 'remove_factor')
  await visitor.succeed('removeAuthenticatorApp', {})
}

async function linkProvider(story: Story, actor: Actor, next: World): Promise<void> {
  const visitor = await requireSession(story, actor)
  const secret = accountAt(story, actor)
  const end = await visitor.authorize(secret.provider, secret.account, { callbackUrl: '/account' })
  if (end.includes('error')) throw new Error(`Linking ended at ${end}.`)
  storeAdded(story, next, 'provider', secret)
}

async function unlinkProviders(story: Story, actor: Actor, next: World): Promise<void> {
  const visitor = await requireSession(story, actor)
  const removed = story.world.methods.filter((method) => !next.methods.includes(method))
  for (const { of } of removed) {
    await visitor.succeed('unlinkAccount', { provider: accountAt(story, of).provider })
  }
}

async function deleteAccount(story: Story, actor: Actor): Promise<void> {
  const visitor = await prove(story, actor, 'delete_account')
  const [password] = secretsOf(story, actor, story.world.methods, 'password')
  await visitor.succeed('deleteAccount', {
    confirmation: emailOf(story, story.world.email),
    ...(password && { currentPassword: password.text }),
  })
}

/** Gives what the change asks for: an app, or the first proof and a recovery code. */
async function prove(story: Story, actor: Actor, change: string): Promise<Visitor> {
  const visitor = await requireSession(story, actor)
  const { methods } = story.world
  const asked = { change, callbackUrl: '/account' }
  const [app] = secretsOf(story, actor, methods, 'app')
  if (app) {
    await visitor.succeed('proveWithApp', { ...asked, code: await nextCode(app) })
    return visitor
  }
  await giveFirstProof(story, actor, visitor, asked)
  if (isProtected(story.world)) {
    const [codes] = secretsOf(story, actor, methods, 'codes')
    await visitor.succeed('proveWithRecoveryCode', { ...asked, code: codes?.codes.pop() ?? '' })
  }
  return visitor
}

async function giveFirstProof(
  story: Story,
  actor: Actor,
  visitor: Visitor,
  asked: { change: string; callbackUrl: string },
): Promise<void> {
  const { world } = story
  if (exists(world, 'password')) {
    const [password] = secretsOf(story, actor, world.methods, 'password')
    await visitor.succeed('proveWithPassword', { ...asked, currentPassword: password?.text ?? '' })
    return
  }
  for (const { provider, account } of secretsOf(story, actor, world.methods, 'provider')) {
    await visitor.authorize(provider, account, asked)
  }
  await visitor.succeed('sendChangeCode', asked)
  const code = await findToken(story, world.email, /asked for it: ([\w-]+)/)
  await visitor.succeed('proveWithMailCode', { ...asked, code })
}

/** The method of this kind that the step has added. */
function storeAdded(story: Story, next: World, kind: Secret['kind'], secret: Secret): void {
  const added = next.methods.find(
    (method: Owned) => method.kind === kind && !story.world.methods.includes(method),
  )
  if (added) storeSecret(story, added, secret)
}

function storeCodes(story: Story, next: World, done: object): void {
  const { codes = [] } = (done as { data?: { codes?: string[] } }).data ?? {}
  if (codes.length > 0) storeAdded(story, next, 'codes', { kind: 'codes', codes: [...codes] })
}

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
