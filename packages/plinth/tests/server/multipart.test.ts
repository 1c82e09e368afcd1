import { describe, expect, test } from 'vitest'
import { hasTooManyValues } from '#server/pages/action-arguments'
import { boundaryOf, findParts } from '#server/pages/multipart'

const part = (name: string, value = '', more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

const find = (body: string) => findParts(Buffer.from(body), 'x')

function found(body: string) {
  const parts = find(body)
  if (typeof parts === 'string') return parts
  return parts.map(({ name, start, end }) => [name, Buffer.from(body).toString('utf8', start, end)])
}

describe('the parts of a multipart body', () => {
  test('are found as the runtime encodes and decodes them', async () => {
    const form = new FormData()
    form.append('email', 'a@example.com')
    form.append('ünïcode', 'ﷺ\r\n\r\n--')
    form.append('empty', '')
    form.append('file', new Blob(['in a file'], { type: 'text/plain' }), 'a.txt')
    const encoded = new Response(form)
    const type = encoded.headers.get('content-type') ?? ''
    const body = Buffer.from(await encoded.arrayBuffer())
    const parts = findParts(body, boundaryOf(type) ?? '')
    if (typeof parts === 'string') throw new Error(parts)
    const fields = parts.map(({ name, isFile, start, end }) => [
      name,
      isFile,
      body.toString('utf8', start, end),
    ])
    expect(fields).toEqual([
      ['email', false, 'a@example.com'],
      ['ünïcode', false, 'ﷺ\r\n\r\n--'],
      ['empty', false, ''],
      ['file', true, 'in a file'],
    ])
    const names = parts.map(({ name, nameStart }) => body.indexOf(`"${name}"`) + 1 === nameStart)
    expect(names).toEqual([true, true, true, true])
  })

  test('are at most 200', () => {
    expect(found(`${part('a').repeat(200)}--x--`)).toHaveLength(200)
    expect(found(`${part('a').repeat(201)}--x--`)).toBe('too_large')
    expect(found(`${part('a', '', '; filename=""').repeat(201)}--x--`)).toBe('too_large')
  })

  test('have names of at most 200 characters', () => {
    expect(found(`${part('é'.repeat(200))}--x--`)).toEqual([['é'.repeat(200), '']])
    expect(found(`${part('a'.repeat(201))}--x--`)).toBe('too_large')
    expect(found(`${part('a'.repeat(100_000))}--x--`)).toBe('too_large')
    expect(found(`--x\r\n${'a: b\r\n'.repeat(1000)}\r\n\r\n\r\n--x--`)).toBe('too_large')
  })

  test.each([
    ['no delimiter', 'junk'],
    ['text before the first delimiter', `junk\r\n${part('a')}--x--`],
    ['no end', part('a')],
    ['a delimiter inside a line', `${part('a', 'b--x\r\n')}--x--`],
    ['text after a delimiter', `--xy\r\n${part('a')}--x--`],
    ['no name', '--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--'],
    ['two names', `${part('a', '', '"; name="b')}--x--`],
    ['no header', '--x\r\n\r\n\r\n--x--'],
    ['an encoding', `${part('a', '', '\r\nContent-Transfer-Encoding: base64')}--x--`],
    ['another charset', `${part('a', '', '\r\nContent-Type: a/b; charset=utf-16le')}--x--`],
  ])('are refused with %s', (_, body) => {
    expect(find(body)).toBe('unreadable')
  })

  test('with an empty file name count as fields', () => {
    const parts = find(`${part('0', '[]', '; filename=""')}--x--`)
    expect(parts).toMatchObject([{ name: '0', isFile: false }])
  })
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; boundary="a:b"', 'a:b'],
  ['multipart/form-data; charset=utf-8; Boundary=abc; x=y', 'abc'],
  ['multipart/form-data; boundary=a; boundary=b', undefined],
  ['multipart/form-data', undefined],
  ['multipart/form-data; boundary=', undefined],
  [`multipart/form-data; boundary=${'a'.repeat(71)}`, undefined],
])('the boundary of %s', (type, expected) => {
  expect(boundaryOf(type)).toBe(expected)
})

describe('the values of arguments', () => {
  const isTooMuch = (...parts: string[]) => hasTooManyValues(parts.map((part) => Buffer.from(part)))

  test('are at most 10,000 in all parts', () => {
    const list = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1))
    expect(isTooMuch(list(9999))).toBe(false)
    expect(isTooMuch(list(10_001))).toBe(true)
    expect(isTooMuch(list(5001), list(5001))).toBe(true)
    expect(isTooMuch('['.repeat(10_001))).toBe(true)
    expect(isTooMuch('{"a":'.repeat(10_001))).toBe(true)
  })

  test('are not counted in a text', () => {
    expect(isTooMuch(JSON.stringify([{ text: 'a, [b], {c} "d" \\'.repeat(20_000) }]))).toBe(false)
  })

  test('are counted after a text with escaped quotes', () => {
    expect(isTooMuch(`["\\"\\\\",${'1,'.repeat(10_001)}1]`)).toBe(true)
  })
})
