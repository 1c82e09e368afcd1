import { afterAll, beforeAll, expect, test } from 'vitest'
import { lifetimes } from '#recovery/history'
import { onPostgres } from '#testing/database/database'
import { nightly } from '#testing/nightly'
import { outcomeOf, weakness } from '../../outcome'
import { linksOf } from '../../world'
import { bestLink, follow, react, readNotices } from '../follow'
import { newStory } from '../new-story'
import { perform } from '../perform'
import { type Order, sampleOrders } from '../sample'
import { type Site, startSite } from '../site'
import { hasSession, type Story, signIn } from '../story'

const dayMs = 24 * 60 * 60 * 1000

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

type Played = { order: Order; story: Story }

/**
 * All at once, because the embedded database has to be stopped for each pause. At night all play on
 * both databases, in CI every third on one of them.
 */
test('a sample of orders ends on the site as the rules say', async () => {
  const all = sampleOrders(['password', 'password and provider', 'provider', 'app'], 36)
  const orders = all.filter((_, index) => nightly || index % 6 === 3 * Number(onPostgres))
  const played: Played[] = []
  for (const [index, order] of orders.entries()) {
    played.push({ order, story: await newStory(site, order, String(index)) })
  }
  // The changes that set the accounts up are not in question.
  await site.passTime(played.map(({ story: { userId } }) => ({ userId, ms: 40 * dayMs })))
  for (const round of [0, 1, 2]) {
    await pass(played, round)
    for (const { order, story } of played) await each(order, () => take(story, order, round))
  }
  const expected = played.map(({ story }) => outcomeOf(story.world))
  for (const { order, story } of played) await each(order, () => takeBack(story))
  await site.passTime(waiting(played).map(({ userId }) => ({ userId, ms: lifetimes.wait })))
  for (const story of waiting(played)) {
    story.world = { ...story.world, now: story.world.now + lifetimes.wait }
    await takeBack(story)
  }
  for (const [index, { order, story }] of played.entries()) {
    await each(order, () => judge(story, expected[index]))
  }
}, 600_000)

async function each(order: Order, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const { account, thief, withHolder, story } = order
    const names = story.map(({ step, pauseDays }) => `+${pauseDays} ${step.name}`)
    const told = `${account}, ${thief}${withHolder ? ', holder' : ''}: ${names.join('; ')}`
    throw new Error(told, { cause: error })
  }
}

/** The owner reacts at the latest to the mail that reminds of the end of the wait. */
async function pass(played: readonly Played[], round: number): Promise<void> {
  const pauses = played.flatMap(({ order, story }) => {
    const ms = (order.story[round]?.pauseDays ?? 0) * dayMs
    const { recovery, openedBy, now } = story.world
    const remindedAt = (recovery?.readyAt ?? 0) - lifetimes.reminder
    const isReminded = recovery?.state === 'waiting' && openedBy !== 'owner'
    const first = isReminded && now + ms >= remindedAt ? Math.max(0, remindedAt - now) : ms
    return ms === 0 ? [] : [{ story, first, rest: ms - first }]
  })
  await move(pauses.map(({ story, first }) => ({ story, ms: first })))
  const reminded = pauses.filter(({ rest }) => rest > 0)
  for (const { story } of reminded) await react(story)
  await move(reminded.map(({ story, rest }) => ({ story, ms: rest })))
}

async function move(moves: readonly { story: Story; ms: number }[]): Promise<void> {
  await site.passTime(moves.map(({ story: { userId }, ms }) => ({ userId, ms })))
  for (const { story, ms } of moves) story.world = { ...story.world, now: story.world.now + ms }
}

async function take(story: Story, order: Order, round: number): Promise<void> {
  const { step } = order.story[round] ?? {}
  if (!step) return
  const [, index] = /follow link (\d)$/.exec(step.name) ?? []
  if (index !== undefined) {
    const link = linksOf(story.world, step.actor)[Number(index)]
    if (!link) throw new Error('The rules have no such link.')
    await follow(story, step.actor, link)
    return
  }
  const earlier = story.world.changes.length
  const next = { ...story.world }
  expect(step.run(next)).toBe(true)
  await perform(story, step, next)
  story.world = next
  await readNotices(story, earlier)
}

/** The owner follows the best link that is alive, unless the account is theirs alone. */
async function takeBack(story: Story): Promise<void> {
  if (!story.world.recovery && weakness(story.world) === undefined) return
  const link = bestLink(story)
  if (link) await follow(story, 'owner', link)
}

const waiting = (played: readonly Played[]): Story[] =>
  played.map(({ story }) => story).filter(({ world }) => world.recovery?.state === 'waiting')

async function judge(story: Story, expected: unknown): Promise<void> {
  const { world } = story
  for (const actor of ['thief', 'holder'] as const) {
    expect(await hasSession(story, actor), `session of the ${actor}`).toBe(false)
    expect(await signIn(story, actor), `sign-in of the ${actor}`).toBe(false)
  }
  const isOwners = await signIn(story, 'owner')
  if (expected === 'admin') {
    expect(world.recovery?.state).toBe('admin')
    expect(isOwners).toBe(false)
    return
  }
  expect(expected).toBe('owner')
  expect(isOwners).toBe(true)
  await compareMethods(story)
}

/** The methods of the account are those that the rules say. */
async function compareMethods(story: Story): Promise<void> {
  const { world, visitors } = story
  const data = await (await visitors.owner.send('/api/account/data.json')).json()
  const count = (kind: string) => world.methods.filter((method) => method.kind === kind).length
  expect({
    email: data.profile.email.split('.').slice(0, 2).join('@'),
    password: data.profile.passwordChangedAt !== null,
    providers: data.linkedAccounts.length,
    app: data.modules.security.authenticatorApp !== null,
  }).toEqual({
    email: world.email,
    password: count('password') > 0,
    providers: count('provider'),
    app: count('app') > 0,
  })
}
