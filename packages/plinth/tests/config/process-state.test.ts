import { expect, test, vi } from 'vitest'
import { lazy } from '#config/lazy'
import { processState } from '#config/process-state'

test('the state of a key is created once', () => {
  const create = vi.fn(() => ({ count: 0 }))
  const first = processState('test.counts', create)
  first.count += 1
  expect(processState('test.counts', create)).toBe(first)
  expect(processState('test.others', create)).toEqual({ count: 0 })
  expect(create).toHaveBeenCalledTimes(2)
})

test('a state that is undefined is a state', () => {
  const create = vi.fn(() => undefined)
  processState('test.nothing', create)
  processState('test.nothing', create)
  expect(create).toHaveBeenCalledTimes(1)
})

test('a lazy value is made when it is first asked for, and again when it was cleared', () => {
  const make = vi.fn((name: string) => ({ name }))
  const client = lazy(make)
  expect(make).not.toHaveBeenCalled()
  expect(client('first')).toBe(client('second'))
  client.clear()
  expect(client('third')).toEqual({ name: 'third' })
  client.set({ name: 'given' })
  expect(client('fourth')).toEqual({ name: 'given' })
  expect(make).toHaveBeenCalledTimes(2)
})

test('a value that could not be made is made at the next call', () => {
  let works = false
  const value = lazy(() => {
    if (!works) throw new Error('not yet')
    return 'made'
  })
  expect(() => value()).toThrow('not yet')
  works = true
  expect(value()).toBe('made')
})
