import { expect } from 'vitest'
import { emailsOf } from '#recovery/history'
import { targetOf } from '#recovery/recovery'
import { type Actor, clone, followLink, type Link, linksOf, reads, type World } from '../world'
import {
  accountAt,
  emailOf,
  findToken,
  nextCode,
  type Story,
  secretsOf,
  storeSecret,
} from './story'

const linkPattern = /\/recover\?token=([\w-]{43})/

/** Uses a link with all proofs that the actor has. The site has to do what the rules say. */
export async function follow(story: Story, actor: Actor, link: Link): Promise<boolean> {
  const before = story.world
  const next = clone(before)
  const completes = followLink(next, actor, link)
  const isRefused = !completes && next.recovery === undefined
  const token = tokenOf(story, link)
  const visitor = story.visitors[actor]
  const target = targetOf(before, before.now)
  const hasLeft = !reads(before, actor, target?.email ?? '')
  const opened = await visitor.act('openRecovery', { token, ...(hasLeft && { left: 'yes' }) })
  expect(hasWorked(opened)).toBe(!isRefused)
  if (isRefused) return false
  await prove(story, actor, token)
  // With a weak proof the site would still give the email back that the actor has left.
  const isUnwanted = !completes && hasLeft && link.email === target?.email
  if (!isUnwanted) expect(await complete(story, actor, { token, next })).toBe(completes)
  story.world = next
  if (!completes && !before.recovery) await readRecoveryMail(story)
  if (completes) story.recoveryLinks.clear()
  return completes
}

type Completing = { token: string; next: World }

async function complete(story: Story, actor: Actor, { token, next }: Completing): Promise<boolean> {
  const { world, visitors } = story
  const target = targetOf(world, world.now)
  const password = `the password after recovery ${next.now} of the ${actor}`
  const own = target && emailsOf(target).findLast((email) => reads(world, actor, email))
  const completed = await visitors[actor].act('completeRecovery', {
    token,
    password,
    ...(own && { email: emailOf(story, own) }),
    keep: await ownAdditions(story, actor, token),
  })
  const added = next.methods.find(
    (method) => method.kind === 'password' && !world.methods.includes(method),
  )
  if (added) storeSecret(story, added, { kind: 'password', text: password })
  return hasWorked(completed)
}

function hasWorked(outcome: object): boolean {
  return 'redirected' in outcome || ('ok' in outcome && outcome.ok === true)
}

function tokenOf({ changeLinks, recoveryLinks }: Story, link: Link & { id?: string }): string {
  const token = link.id === undefined ? recoveryLinks.get(link.email) : changeLinks.get(link.id)
  if (!token) throw new Error(`No mail had the link ${JSON.stringify(link)}.`)
  return token
}

/** Every proof that the actor ever had. The site accepts those that are older than the target. */
async function prove(story: Story, actor: Actor, token: string): Promise<void> {
  const { world, visitors } = story
  const visitor = visitors[actor]
  const known = [...world.methods, ...world.history]
  for (const { text } of secretsOf(story, actor, known, 'password')) {
    await visitor.act('proveRecoveryPassword', { token, currentPassword: text })
  }
  for (const { provider, account } of secretsOf(story, actor, known, 'provider')) {
    await visitor.authorize(provider, account, { recovery: token })
  }
  for (const app of secretsOf(story, actor, known, 'app')) {
    await visitor.act('proveRecoveryWithApp', { token, code: await nextCode(app) })
  }
  for (const { codes } of secretsOf(story, actor, known, 'codes')) {
    await visitor.act('proveRecoveryWithCode', { token, code: codes.pop() ?? '' })
  }
}

/** Checkboxes of the page for what the actor has added. */
async function ownAdditions(story: Story, actor: Actor, token: string): Promise<string[]> {
  const html = await story.visitors[actor].html(`/recover?token=${token}`)
  const values = [...html.matchAll(/name="keep" value="([^"]*)"/g)].map(([, value = '']) => value)
  const { provider, account } = accountAt(story, actor)
  const hasApp = secretsOf(story, actor, story.world.methods, 'app').length > 0
  return values.filter(
    (value) =>
      value === `provider ${provider} ${account.id}` || (hasApp && value.startsWith('app')),
  )
}

/** Each email of the window has got a link. */
async function readRecoveryMail(story: Story): Promise<void> {
  const target = targetOf(story.world, story.world.now)
  for (const email of target ? emailsOf(target) : []) {
    story.recoveryLinks.set(email, await findToken(story, email, linkPattern))
  }
}

/** The notice of a change, with its link. */
export async function readNotices(story: Story, earlier: number): Promise<void> {
  for (const { id, email, link } of story.world.changes.slice(earlier)) {
    if (link === 'open') story.changeLinks.set(id, await findToken(story, email, linkPattern))
  }
}

/** The owner reads mail about a recovery that someone else has opened. */
export async function react(story: Story): Promise<void> {
  for (const link of linksOf(story.world, 'owner')) {
    if (await follow(story, 'owner', link)) return
  }
}

/** The link that helps the owner most, if they need one. */
export function bestLink(story: Story): Link | undefined {
  const links = linksOf(story.world, 'owner')
  const results = links.map((link) => {
    const next = clone(story.world)
    return { link, completes: followLink(next, 'owner', link), state: next.recovery?.state }
  })
  const best =
    results.find(({ completes }) => completes) ??
    results.find(({ state }) => state === 'waiting') ??
    results[0]
  return best?.link
}
