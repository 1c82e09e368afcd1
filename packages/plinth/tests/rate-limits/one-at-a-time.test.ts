import { expect, test } from 'vitest'
import { DatabaseTimeout } from '#db/errors'
import { oneAtATime } from '#rate-limits/one-at-a-time'

test('runs the work of one key in order, also after an error', async () => {
  const order: number[] = []
  const attempts = [1, 2, 3].map((number) =>
    oneAtATime('order', async () => {
      await Promise.resolve()
      order.push(number)
      if (number === 2) throw new Error('wrong password')
    }),
  )
  await Promise.allSettled(attempts)
  expect(order).toEqual([1, 2, 3])
})

test('attempts that wait fail with one that loses the database, and later ones run', async () => {
  const lost = new DatabaseTimeout(2_000)
  const first = oneAtATime('lost', () => Promise.reject(lost))
  const waiting = [1, 2].map(() => oneAtATime('lost', async () => expect.unreachable('It ran.')))
  for (const result of await Promise.allSettled([first, ...waiting])) {
    expect(result).toMatchObject({ reason: lost })
  }
  expect(await oneAtATime('lost', async () => 'ran')).toBe('ran')
})
