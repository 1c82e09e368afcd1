import { setTimeout as sleep } from 'node:timers/promises'
import type { Method } from '#recovery/history'
import { codeAt, stepAt } from '@/app/(security)/data/factors/totp'
import type { Actor, Owned, World } from '../world'
import { findInMail, type Site } from './site'
import type { Visitor } from './visitor'

/** The secret that an actor types or holds for a method of the world. */
export type Secret =
  | { kind: 'password'; text: string }
  | { kind: 'provider'; provider: string; account: { id: string; email: string } }
  | { kind: 'app'; key: Buffer; lastStep: number }
  | { kind: 'codes'; codes: string[] }

/** One account of the site, with the world that the rules say it is in. */
export type Story = {
  site: Site
  /** Part of each email, so that stories do not meet. */
  name: string
  userId: string
  world: World
  visitors: Record<Actor, Visitor>
  secrets: Map<string, Secret>
  /** Tokens of links that were found in mail. */
  seen: Set<string>
  /** The token of each link, by the id of the change. */
  changeLinks: Map<string, string>
  /** While a recovery is open. */
  recoveryLinks: Map<string, string>
}

export const emailOf = ({ name }: Story, email: string) =>
  `${email.replace('@', '.')}.${name}@example.com`

const keyOf = ({ kind, id }: Method) => `${kind} ${id}`

export function storeSecret(story: Story, method: Method, secret: Secret): void {
  story.secrets.set(keyOf(method), secret)
}

/** The actor's secrets for these methods. */
export function secretsOf<Kind extends Secret['kind']>(
  { secrets }: Story,
  actor: Actor,
  methods: readonly Owned[],
  kind: Kind,
): Extract<Secret, { kind: Kind }>[] {
  return methods
    .filter((method) => method.kind === kind)
    .filter(({ of, knownTo = [] }) => of === actor || knownTo.includes(actor))
    .flatMap((method) => secrets.get(keyOf(method)) ?? [])
    .filter((secret) => secret.kind === kind) as Extract<Secret, { kind: Kind }>[]
}

const providerOf = (actor: Actor) => (actor === 'owner' ? 'github' : 'google')

export function accountAt(story: Story, actor: Actor): Extract<Secret, { kind: 'provider' }> {
  // GitHub has numbers.
  const id = `${actor === 'owner' ? 1 : 2}000${story.name}`
  const account = { id, email: `${actor}.${story.name}@example.org` }
  return { kind: 'provider', provider: providerOf(actor), account }
}

/** Each code works once. That of the next step is accepted too. */
export async function nextCode(app: Extract<Secret, { kind: 'app' }>): Promise<string> {
  const step = Math.max(app.lastStep + 1, stepAt(Date.now()))
  while (step > stepAt(Date.now()) + 1) await sleep(500)
  app.lastStep = step
  return codeAt(app.key, step)
}

/** A session of the actor. Signs in with what they have. */
export async function requireSession(story: Story, actor: Actor): Promise<Visitor> {
  const visitor = story.visitors[actor]
  if (await hasSession(story, actor)) return visitor
  if (!(await signIn(story, actor))) throw new Error(`The ${actor} cannot sign in.`)
  return visitor
}

export async function hasSession(story: Story, actor: Actor): Promise<boolean> {
  const session = await story.visitors[actor].session()
  return session?.user.id === story.userId
}

/** With any method that the actor has or had. False if none leads to a session. */
export async function signIn(
  story: Story,
  actor: Actor,
  rememberBrowser = false,
): Promise<boolean> {
  const { world } = story
  const visitor = story.visitors[actor]
  const email = emailOf(story, world.email)
  const known = [...world.methods, ...world.history]
  for (const { text } of secretsOf(story, actor, known, 'password').toReversed()) {
    const started = await visitor.post('/api/auth/signin', {
      email,
      password: text,
      redirect: false,
    })
    const { challenge } = await started.json()
    if (await completeSignIn(story, actor, { rememberBrowser, challenge })) return true
  }
  for (const { provider, account } of secretsOf(story, actor, world.methods, 'provider')) {
    await visitor.authorize(provider, account)
    if (await completeSignIn(story, actor, { rememberBrowser })) return true
  }
  if (world.mailboxes[world.email] !== actor || world.deleted || world.recovery) return false
  await visitor.succeed('requestSignInLink', { email })
  const token = await findToken(story, world.email, /\/sign-in\/link\/confirm\?token=([\w-]{43})/)
  await visitor.act('signInWithLink', { token })
  return completeSignIn(story, actor, { rememberBrowser })
}

/** With the second factor, if one is asked for. */
async function completeSignIn(
  story: Story,
  actor: Actor,
  options: { rememberBrowser: boolean; challenge?: string },
): Promise<boolean> {
  if (await hasSession(story, actor)) return true
  const { methods } = story.world
  const visitor = story.visitors[actor]
  const verify = (method: string, code: string) =>
    visitor.post('/api/auth/signin/verify', {
      method,
      code,
      ...options,
      redirect: false,
    })
  for (const app of secretsOf(story, actor, methods, 'app')) {
    await verify('totp', await nextCode(app))
    if (await hasSession(story, actor)) return true
  }
  for (const { codes } of secretsOf(story, actor, methods, 'codes')) {
    await verify('recovery_code', codes.pop() ?? '')
    if (await hasSession(story, actor)) return true
  }
  return false
}

/** In mail to this email. Each token is found once. */
export async function findToken(story: Story, email: string, pattern: RegExp): Promise<string> {
  const { site, seen } = story
  const token = await findInMail(site, emailOf(story, email), pattern, (text) => !seen.has(text))
  seen.add(token)
  return token
}
