import { expect, test } from 'vitest'
import { createHashingQueue, HashingQueueFull } from '#auth/passwords/queue'

/** Hashes that run until they are told to finish. */
function startHashes(queue: ReturnType<typeof createHashingQueue>) {
  const started: string[] = []
  const finish: (() => void)[] = []
  return {
    started,
    start: (client: string) =>
      queue.reserve(client, () =>
        queue.run(() => {
          started.push(client)
          return new Promise<void>((resolve) => finish.push(resolve))
        }),
      ),
    async finishAll(count: number) {
      for (let index = 0; index < count; index += 1) {
        await expect.poll(() => finish.length).toBeGreaterThan(index)
        finish[index]?.()
      }
    },
  }
}

test('limits concurrency and rejects when full', async () => {
  const hashes = startHashes(createHashingQueue(2, 3))
  const clients = ['a', 'b', 'c', 'd', 'e']
  const done = clients.map(hashes.start)
  await expect(hashes.start('f')).rejects.toBeInstanceOf(HashingQueueFull)
  expect(hashes.started).toEqual(['a', 'b'])
  await hashes.finishAll(5)
  await Promise.all(done)
  expect(hashes.started).toEqual(clients)
})

test('keeps half of the places free of one client', async () => {
  const hashes = startHashes(createHashingQueue(1, 9))
  const attacks = Array.from({ length: 18 }, () => hashes.start('attacker'))
  const settled = Promise.allSettled(attacks)
  const victims = [hashes.start('victim'), hashes.start('other victim')]
  await hashes.finishAll(7)
  await Promise.all(victims)
  const rejected = (await settled).filter(({ status }) => status === 'rejected')
  expect(rejected).toHaveLength(18 - 5)
})

test('lets clients take turns', async () => {
  const hashes = startHashes(createHashingQueue(1, 19))
  const clients = ['a', 'a', 'a', 'a', 'b', 'b', 'c']
  const done = clients.map(hashes.start)
  await hashes.finishAll(7)
  await Promise.all(done)
  expect(hashes.started).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('keeps a reservation until the work is done', async () => {
  const queue = createHashingQueue(1, 1)
  const proceed: (() => void)[] = []
  const reserve = (client: string) =>
    queue.reserve(client, async () => {
      await new Promise<void>((resolve) => proceed.push(resolve))
      return queue.run(async () => 'hashed')
    })
  const reserved = [reserve('a'), reserve('b')]
  await expect(reserve('c')).rejects.toBeInstanceOf(HashingQueueFull)
  expect(proceed).toHaveLength(2)

  proceed[0]?.()
  await expect(reserved[0]).resolves.toBe('hashed')
  const another = reserve('c')
  for (const resolve of proceed) resolve()
  await expect(Promise.all([reserved[1], another])).resolves.toEqual(['hashed', 'hashed'])
})

test('releases the reservation when the work fails', async () => {
  const queue = createHashingQueue(1, 0)
  const fail = () => queue.reserve('a', () => Promise.reject(new Error('unavailable')))
  await expect(fail()).rejects.toThrow('unavailable')
  await expect(fail()).rejects.toThrow('unavailable')
})

test('hashes without a client too', async () => {
  const queue = createHashingQueue(1, 1)
  expect(await queue.run(async () => 'hashed')).toBe('hashed')
})
