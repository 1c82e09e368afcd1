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
  const done = [0, 1, 2, 3].map(begin)
  expect(queue.isFull()).toBe(false)
  done.push(begin(4))
  expect(queue.isFull()).toBe(true)
  await expect(begin(5)).rejects.toBeInstanceOf(TooManyHashes)
  expect(order).toEqual([0, 1])

  finish[0]?.()
  await expect.poll(() => order).toEqual([0, 1, 2])
  expect(queue.isFull()).toBe(false)
  for (let index = 1; index < 5; index += 1) {
    await expect.poll(() => finish.length).toBeGreaterThan(index)
    finish[index]?.()
  }
  await Promise.all(done)
  expect(order).toEqual([0, 1, 2, 3, 4])
})
