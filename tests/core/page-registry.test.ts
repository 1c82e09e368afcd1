import { beforeAll, expect, test } from 'vitest'
import { findPage, type PreloadPage, registerPage } from '@/core/http/scope'

const list: PreloadPage = async () => 'list'
const one: PreloadPage = async () => 'one'
const edit: PreloadPage = async () => 'edit'
const create: PreloadPage = async () => 'create'

beforeAll(() => {
  registerPage('/things/[id]', one)
  registerPage('/things/[id]/edit', edit)
  registerPage('/things', list)
  registerPage('/things/new', create)
  registerPage('/notes.txt', one)
  registerPage('/papers/[...path]', one)
})

test('finds a page by its path, with its parameters', () => {
  expect(findPage('/things')).toEqual({ preload: list, params: {} })
  expect(findPage('/things/7')).toEqual({ preload: one, params: { id: '7' } })
  expect(findPage('/things/7/edit')).toEqual({ preload: edit, params: { id: '7' } })
})

test('prefers a static path to a path with a parameter', () => {
  expect(findPage('/things/new')).toEqual({ preload: create, params: {} })
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
])('finds no page at %s', (path) => {
  expect(findPage(path)).toBeUndefined()
})

test('replaces a page that is registered again', () => {
  registerPage('/again', one)
  registerPage('/again', edit)
  expect(findPage('/again')?.preload).toBe(edit)
})
