import { expect, test } from 'vitest'
import { fieldNames, hasTooManyFields } from '#http/body-limits'
import { readResponseUpTo } from '#http/limited-response'

const fields = (count: number) =>
  Array.from({ length: count }, (_, index) => `f${index}=1`).join('&')

test('a form has at most 200 fields', () => {
  expect(hasTooManyFields('')).toBe(false)
  expect(hasTooManyFields(fields(200))).toBe(false)
  expect(hasTooManyFields(fields(201))).toBe(true)
  expect(fieldNames(fields(200))).toHaveLength(200)
  expect(fieldNames(fields(201))).toBeUndefined()
})

test('the names of a form are decoded', () => {
  expect(fieldNames('a=1&b%5B%5D=x=y&c')).toEqual(['a', 'b[]', 'c'])
})

test('a name has at most 200 characters, however they are encoded', () => {
  expect(fieldNames('a'.repeat(200))).toHaveLength(1)
  expect(fieldNames('a'.repeat(201))).toBeUndefined()
  expect(fieldNames('%E2%82%AC'.repeat(200))).toEqual(['€'.repeat(200)])
  expect(fieldNames('%E2%82%AC'.repeat(201))).toBeUndefined()
  expect(fieldNames(`x=1&${'a'.repeat(1801)}`)).toBeUndefined()
})

test('the response of another server is read up to a limit', async () => {
  expect((await readResponseUpTo(4, new Response('abcd'))).toString()).toBe('abcd')
  expect(await readResponseUpTo(4, new Response(null))).toHaveLength(0)
  await expect(readResponseUpTo(3, new Response('abcd'))).rejects.toThrow(
    'The response is longer than 3 bytes.',
  )
})

test('the response of another server is not read on after the limit', async () => {
  let canceled = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel() {
      canceled = true
    },
  })
  await expect(readResponseUpTo(25, new Response(body))).rejects.toThrow()
  expect(canceled).toBe(true)
})
