import { expect, test } from 'vitest'
import { defer } from '#guard/page'

function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value))
}

test('waits for values that resolve in time, and no longer', async () => {
  const start = performance.now()
  const { first, second } = await defer(
    { first: after(5, 'one'), second: after(10, 'two') },
    25_000,
  )
  expect([first.resolved?.value, second.resolved?.value]).toEqual(['one', 'two'])
  expect(performance.now() - start).toBeLessThan(20_000)
})

test('does not wait for a late value', async () => {
  const { quick, late } = await defer({ quick: after(1, 'quick'), late: after(400, 'late') }, 50)
  expect(quick.resolved?.value).toBe('quick')
  expect(late.resolved).toBeUndefined()
  expect(await late.promise).toBe('late')
  expect(late.resolved?.value).toBe('late')
})

test('rejects if a value fails in time', async () => {
  const failing = Promise.reject(new Error('failed'))
  await expect(defer({ failing, other: after(5, 'other') })).rejects.toThrow('failed')
})

test('leaves a late failure to the component, without an unhandled rejection', async () => {
  const failing = after(60, 'x').then(() => Promise.reject(new Error('late')))
  const { part } = await defer({ part: failing }, 10)
  await after(80, undefined)
  expect(part.resolved).toBeUndefined()
  await expect(part.promise).rejects.toThrow('late')
})
