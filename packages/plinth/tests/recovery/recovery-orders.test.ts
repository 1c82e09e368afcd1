import { expect, test } from 'vitest'
import { type Rule, removableRules } from './removed-rules'
import {
  type AccountKind,
  accounts,
  newWorld,
  type Played,
  play,
  playSample,
  type Thief,
  thieves,
} from './sequences'

const accountKinds = Object.keys(accounts) as AccountKind[]
const thiefKinds = Object.keys(thieves) as Thief[]

function* worldsOf(kinds: readonly AccountKind[], without?: Rule) {
  for (const account of kinds) {
    for (const thief of thiefKinds) {
      for (const withHolder of [false, true]) {
        const name = `${account}, thief with ${thief}${withHolder ? ', left mailbox' : ''}`
        yield { name, world: newWorld(account, thief, { withHolder, without }) }
      }
    }
  }
}

const explain = (name: string, { story, outcome }: Played) =>
  typeof outcome === 'object' ? [`${name}: ${story.join('; ')}: ${outcome.failure}`] : []

/** The number of orders that were judged for each account. Fewer would mean that steps were lost. */
const judged: Record<AccountKind, number> = {
  mailbox: 10_880,
  password: 36_058,
  provider: 11_180,
  'password and provider': 38_848,
  app: 37_144,
  passkey: 48_912,
  'provider and app': 15_366,
}

test.each(accountKinds)(
  'the owner of an account with %s gets it back after any three steps',
  (account) => {
    const failures: string[] = []
    let count = 0
    for (const { name, world } of worldsOf([account])) {
      for (const played of play(world, 3)) {
        count += 1
        failures.push(...explain(name, played))
      }
    }
    expect(failures.slice(0, 5)).toEqual([])
    expect(count).toBe(judged[account])
  },
  120_000,
)

test('the owner gets the account back after each of 14,000 sampled orders of four steps', () => {
  const failures: string[] = []
  let seed = 1
  for (const { name, world } of worldsOf(accountKinds)) {
    let left = 200
    for (const played of playSample(world, 4, seed++)) {
      failures.push(...explain(name, played))
      left -= 1
      if (left === 0) break
    }
  }
  expect(failures.slice(0, 5)).toEqual([])
}, 120_000)

test.each(removableRules)(
  'the thief wins in some order without the rule: %s',
  (rule) => {
    expect(findFailure(rule)).toBeDefined()
  },
  120_000,
)

function findFailure(without: Rule): string | undefined {
  for (const length of [1, 2, 3]) {
    for (const { name, world } of worldsOf(accountKinds, without)) {
      for (const played of play(world, length)) {
        const [failure] = explain(name, played)
        if (failure) return failure
      }
    }
  }
  return undefined
}
