import { beforeAll, expect, test } from 'vitest'
import { decodeFlash, encodeFlash, flashCookie } from '#guard/flash'
import { configure } from '#testing/settings'

beforeAll(() => configure({}))

const flash = { text: 'Saved “Ωmega”; really.', undo: { action: 'undo', fields: { id: '1' } } }

test('a message is read back by its user', () => {
  expect(decodeFlash(encodeFlash(flash, 'user-1'), 'user-1')).toMatchObject(flash)
  expect(decodeFlash(encodeFlash({ text: 'Hello' }, undefined), undefined)?.text).toBe('Hello')
})

test('a message of another user, a changed one and a forged one are ignored', () => {
  const cookie = encodeFlash(flash, 'user-1')
  const [content = '', signature] = cookie.split('.')
  const changed = Buffer.from(JSON.stringify({ id: '1', text: 'Forged' })).toString('base64url')
  expect(decodeFlash(cookie, 'user-2')).toBeUndefined()
  expect(decodeFlash(cookie, undefined)).toBeUndefined()
  expect(decodeFlash(`${changed}.${signature}`, 'user-1')).toBeUndefined()
  for (const forged of [content, `${content}.`, `${content}.${'é'.repeat(43)}`, '', '.', 'a.b.c']) {
    expect(decodeFlash(forged, 'user-1')).toBeUndefined()
  }
})

test('scripts can see that a message waits, whoever sets it', () => {
  const [name, value, options] = flashCookie(flash, 'user-1')
  expect(name).toBe('plinth.flash')
  expect(decodeFlash(value, 'user-1')).toMatchObject(flash)
  expect(options).toMatchObject({ httpOnly: false, path: '/', maxAge: 60 })
})
