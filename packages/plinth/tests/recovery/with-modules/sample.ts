import { type AccountKind, newWorld, playSample, type Thief, thieves } from '../sequences'
import { type Step, steps } from '../steps'

/** An order of events, and the time before each. */
export type Order = {
  account: AccountKind
  thief: Thief
  withHolder: boolean
  story: readonly { step: Step; pauseDays: number }[]
}

/** Orders of the generated test that differ in account, thief and steps. Passkeys need a browser. */
export function sampleOrders(accounts: readonly AccountKind[], seed: number): Order[] {
  return accounts.flatMap((account, index) =>
    (Object.keys(thieves) as Thief[]).map((thief, offset): Order => {
      const withHolder = (index + offset) % 2 === 0
      const world = newWorld(account, thief, { withHolder })
      for (const { story } of playSample(world, 3, seed + index * 10 + offset)) {
        const parsed = story.map(parse)
        const order = { account, thief, withHolder, story: parsed }
        if (parsed.every(({ step }) => !step.name.includes('passkey'))) return order
      }
      throw new Error('The sample never ends.')
    }),
  )
}

function parse(name: string) {
  const [, days = '0', stepName = name] = /^(\d+) days later, (.*)$/.exec(name) ?? []
  const step = steps.find((step) => step.name === stepName)
  if (!step) throw new Error(`No step is "${stepName}".`)
  return { step, pauseDays: Number(days) }
}
