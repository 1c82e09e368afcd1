import { expect, test } from 'vitest'
import { judgeEvent } from '../../cluster/judge.mjs'

const restart = { name: 'restart', from: 0, mendedAt: 900, stuck: [] }
const pooler = { name: 'pooler', from: 1000, mendedAt: 1100, stuck: [], database: true }

function judge(sample: { at: number; waitMs: number; outcome: string }) {
  const journal = { samples: [{ client: 'form', status: 503, ...sample }], writes: [], forms: [] }
  const lost = { lostWrites: [], lostForms: [], storedTwice: [] }
  return {
    restart: judgeEvent(restart, pooler.from, journal, lost),
    pooler: judgeEvent(pooler, Number.POSITIVE_INFINITY, journal, lost),
  }
}

test('a 503 without a disturbed database is wrong', () => {
  const results = judge({ at: 100, waitMs: 300, outcome: 'unavailable' })
  expect(results.restart).toMatchObject({ requests: 1, longestMs: 300, unavailableSeconds: 0.1 })
  expect(results.restart.wrong).toHaveLength(1)
  expect(results.pooler).toMatchObject({ requests: 0, wrong: [] })
})

test('a request that began before an event and met it belongs to that event', () => {
  const results = judge({ at: 990, waitMs: 300, outcome: 'unavailable' })
  expect(results.restart).toMatchObject({ requests: 0, wrong: [] })
  expect(results.pooler).toMatchObject({ requests: 1, wrong: [], unavailableSeconds: 0.1 })
})

test('a 503 long after the cause is wrong', () => {
  expect(judge({ at: 7000, waitMs: 5, outcome: 'unavailable' }).pooler.wrong).toHaveLength(1)
})
