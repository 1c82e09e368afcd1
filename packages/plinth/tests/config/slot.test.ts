import { expect, test } from 'vitest'
import { isStartupError } from '#config/env'
import { slot } from '#config/slot'
import { fillSlots, type Slots } from '#modules/slots'

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

test('an app that leaves one out is not registered', () => {
  const missing = 'The app has not filled the slot "accountMessages" (src/slots.ts).'
  expect(() => fillSlots({} as Slots)).toThrow(missing)
})
