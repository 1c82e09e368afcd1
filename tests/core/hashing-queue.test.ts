import { expect, test } from 'vitest'
import { createHashingQueue, HashingQueueFull } from '@/core/auth/passwords/queue'

test('limits concurrency, queues in order and rejects when full', async () => {
  const queue = createHashingQueue(2, 3)
  const order: number[] = []
  const finish: (() => void)[] = []
  const start = (index: number) =>
    queue.run(() => {
      order.push(index)
      return new Promise<void>((resolve) => finish.push(resolve))
    })
  const done = [0, 1, 2, 3, 4].map(start)
  await expect(start(5)).rejects.toBeInstanceOf(HashingQueueFull)
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

test('keeps a reservation until the work is done', async () => {
  const queue = createHashingQueue(1, 1)
  const proceed: (() => void)[] = []
  const reserve = () =>
    queue.reserve(async () => {
      await new Promise<void>((resolve) => proceed.push(resolve))
      return queue.run(async () => 'hashed')
    })
  const reserved = [reserve(), reserve()]
  await expect(reserve()).rejects.toBeInstanceOf(HashingQueueFull)
  expect(proceed).toHaveLength(2)

  proceed[0]?.()
  await expect(reserved[0]).resolves.toBe('hashed')
  const another = reserve()
  for (const resolve of proceed) resolve()
  await expect(Promise.all([reserved[1], another])).resolves.toEqual(['hashed', 'hashed'])
})

test('releases the reservation when the work fails', async () => {
  const queue = createHashingQueue(1, 0)
  const fail = () => queue.reserve(() => Promise.reject(new Error('unavailable')))
  await expect(fail()).rejects.toThrow('unavailable')
  await expect(fail()).rejects.toThrow('unavailable')
})
