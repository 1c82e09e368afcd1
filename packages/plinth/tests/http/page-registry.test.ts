import { beforeAll, expect, test } from 'vitest'
import { findPage, isPrivatePage, type PreloadPage, registerPage } from '#http/page-registry'
import { timeZoneOf } from '#http/scope'

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

test('a page is private if it was registered so', () => {
  registerPage('/private', list, true)
  registerPage('/private/[id]', one, true)
  registerPage('/private/public', one)
  expect(
    ['/private', '/private/7', '/private/public', '/things/7', '/unknown'].map(isPrivatePage),
  ).toEqual([true, true, false, false, false])
})

test('the time zone is the one that the user chose, or unknown', () => {
  const user = { id: 'u', email: 'a@b.c', name: 'A', role: 'viewer' as const }
  const now = new Date()
  const session = {
    id: 's',
    createdAt: now,
    expiresAt: now,
    authenticatedAt: now,
    authenticatedBy: 'password',
  }
  const zoneOf = (timeZone?: string | null) =>
    timeZoneOf({ session: { ...session, user: { ...user, timeZone } } })
  expect(zoneOf('Europe/Zurich')).toBe('Europe/Zurich')
  expect(zoneOf(null)).toBeUndefined()
  expect(timeZoneOf({ session: undefined })).toBeUndefined()
})
