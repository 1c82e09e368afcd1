import { expect, test } from 'vitest'
import { soon } from '@/core/guard/soon'

function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value))
}

test('what is there in time is known, and nothing is waited for beyond that', async () => {
  const start = performance.now()
  const { one, other } = await soon({ one: after(5, 'here'), other: after(10, 'too') }, 5_000)
  expect([one.known?.value, other.known?.value]).toEqual(['here', 'too'])
  expect(performance.now() - start).toBeLessThan(2_500)
})

test('what takes longer is still to come, and does not hold up the rest', async () => {
  const { quick, late } = await soon({ quick: after(1, 'here'), late: after(400, 'late') }, 50)
  expect(quick.known?.value).toBe('here')
  expect(late.known).toBeUndefined()
  expect(await late.value).toBe('late')
  expect(late.known?.value).toBe('late')
})

test('what fails in time fails the page', async () => {
  const failing = Promise.reject(new Error('no'))
  await expect(soon({ failing, other: after(5, 'here') })).rejects.toThrow('no')
})

test('what fails late is for whoever shows it, and ends no process', async () => {
  const failing = after(60, 'x').then(() => Promise.reject(new Error('late')))
  const { part } = await soon({ part: failing }, 10)
  await after(80, undefined)
  expect(part.known).toBeUndefined()
  await expect(part.value).rejects.toThrow('late')
})
