import { expect, test } from 'vitest'
import { isStartupError } from '#config/env'
import { slot } from '#config/slot'

test('a slot returns what it was filled with last', () => {
  const greeting = slot<string>('test.greeting')
  greeting.fill('Hello')
  greeting.fill('Welcome')
  expect(greeting.get()).toBe('Welcome')
})

test('a slot that the app has not filled is named in the error', () => {
  const empty = slot<string>('test.empty')
  expect(() => empty.get()).toThrow('The app has not filled the slot "test.empty" (src/slots.ts).')
  expect(() => empty.get()).toThrow(expect.toSatisfy(isStartupError))
})
