import { expect, test } from 'vitest'
import { hashingQueue, TooManyHashes } from '@/core/auth/hashing-queue'

test('so many at once, so many wait in turn, and the rest are sent away', async () => {
  const queue = hashingQueue(2, 3)
  const order: number[] = []
  const finish: (() => void)[] = []
  const begin = (index: number) =>
    queue.run(() => {
      order.push(index)
      return new Promise<void>((resolve) => finish.push(resolve))
    })
  const done = [0, 1, 2, 3, 4].map(begin)
  await expect(begin(5)).rejects.toBeInstanceOf(TooManyHashes)
  expect(order).toEqual([0, 1])

  finish[0]?.()
  await expect.poll(() => order).toEqual([0, 1, 2])
  for (let index = 1; index < 5; index += 1) {
    await expect.poll(() => finish.length).toBeGreaterThan(index)
    finish[index]?.()
  }
  await Promise.all(done)
  expect(order).toEqual([0, 1, 2, 3, 4])
})

test('a place is kept from the beginning, however long it takes to come to the hash', async () => {
  const queue = hashingQueue(1, 1)
  const begin: (() => void)[] = []
  const enter = () =>
    queue.admit(async () => {
      await new Promise<void>((resolve) => begin.push(resolve))
      return queue.run(async () => 'hashed')
    })
  const inside = [enter(), enter()]
  await expect(enter()).rejects.toBeInstanceOf(TooManyHashes)
  expect(begin).toHaveLength(2)

  begin[0]?.()
  await expect(inside[0]).resolves.toBe('hashed')
  const another = enter()
  for (const go of begin) go()
  await expect(Promise.all([inside[1], another])).resolves.toEqual(['hashed', 'hashed'])
})

test('a place is free again after what failed', async () => {
  const queue = hashingQueue(1, 0)
  const fail = () => queue.admit(() => Promise.reject(new Error('away')))
  await expect(fail()).rejects.toThrow('away')
  await expect(fail()).rejects.toThrow('away')
})
