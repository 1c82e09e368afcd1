import { beforeAll, expect, test } from 'vitest'
import { findPage, makeKnown, type Prepare } from '@/core/guard/known-pages'

const list: Prepare = async () => 'list'
const one: Prepare = async () => 'one'
const edit: Prepare = async () => 'edit'
const fresh: Prepare = async () => 'fresh'

beforeAll(() => {
  makeKnown('/things/[id]', one)
  makeKnown('/things/[id]/edit', edit)
  makeKnown('/things', list)
  makeKnown('/things/new', fresh)
  makeKnown('/notes.txt', one)
  makeKnown('/papers/[...path]', one)
})

test('a page is found by its address, with its parameters', () => {
  expect(findPage('/things')).toEqual({ prepare: list, params: {} })
  expect(findPage('/things/7')).toEqual({ prepare: one, params: { id: '7' } })
  expect(findPage('/things/7/edit')).toEqual({ prepare: edit, params: { id: '7' } })
})

test('a page at a fixed address comes before one that takes any', () => {
  expect(findPage('/things/new')).toEqual({ prepare: fresh, params: {} })
})

test.each([
  '/',
  '/thing',
  '/things/',
  '/things//edit',
  '/things/7/edit/more',
  '/things/[id]/x',
  '/notes-txt',
  '/papers/p',
])('no page is found at %s', (address) => {
  expect(findPage(address)).toBeUndefined()
})

test('a page that is made again takes the place of the former', () => {
  makeKnown('/again', one)
  makeKnown('/again', edit)
  expect(findPage('/again')?.prepare).toBe(edit)
})
