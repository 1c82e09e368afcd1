import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ApiContext, ApiEnvironment } from '#http/api-context'
import { formFields, readBody, readBodyUpTo, readFields, validateInput } from '#http/input'
import { errorResponse, type ProblemCode } from '#http/problems'

const schema = z.object({ name: z.string().min(2) })

type Options = Parameters<typeof readBody>[2]

/** Sends a body to a handler that returns what it has read. */
function send(body: BodyInit | undefined, type: string | undefined, options: Options = {}) {
  return respond(body, type, (c) =>
    readBody(c, options.optional ? schema.optional() : schema, options),
  )
}

async function respond(
  body: BodyInit | undefined,
  type: string | undefined,
  read: (c: ApiContext) => Promise<unknown>,
) {
  const api = new Hono<ApiEnvironment>().post('/', async (c) => c.json({ read: await read(c) }))
  api.onError((error, c) => errorResponse(error, c))
  const headers = type === undefined ? {} : { 'content-type': type }
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  })
  if (type === undefined) request.headers.delete('content-type')
  return (await api.request(request)).json()
}

const formType = 'application/x-www-form-urlencoded'

describe('a body', () => {
  test.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json '])(
    'is JSON if its type is %j',
    async (type) => {
      expect(await send('{"name":"Ada"}', type)).toEqual({ read: { name: 'Ada' } })
    },
  )

  test.each<[string, string | undefined, Options]>([
    ['text/plain', '{"name":"Ada"}', {}],
    [formType, 'name=Ada', {}],
    [formType, 'name=Ada', { mediaTypes: ['application/reports+json'] }],
    ['application/reports+json', '{"name":"Ada"}', { forms: true }],
  ])('of the type %s is refused where it is not expected', async (type, body, options) => {
    const { code, detail } = await send(body, type, options)
    expect(code).toBe('unsupported_media_type')
    const more = [...(options?.mediaTypes ?? []), ...(options?.forms ? [formType] : [])]
    expect(detail).toBe(`Send the body as ${['application/json', ...more].join(' or ')}.`)
  })

  test('may be a form or of another type of JSON where it is expected', async () => {
    expect(await send('name=Ada', formType, { forms: true })).toEqual({ read: { name: 'Ada' } })
    const mediaTypes = ['application/reports+json']
    expect(await send('{"name":"Ada"}', mediaTypes[0], { mediaTypes })).toEqual({
      read: { name: 'Ada' },
    })
  })

  test('may be absent if it is optional', async () => {
    expect(await send(undefined, undefined, { optional: true })).toEqual({})
    expect(await send(undefined, undefined)).toMatchObject({ code: 'unsupported_media_type' })
    expect(await send('{"name":"A"}', 'application/json', { optional: true })).toMatchObject({
      code: 'validation_failed',
    })
  })

  test.each<[ProblemCode, BodyInit]>([
    ['malformed_json', '{"name"'],
    ['malformed_json', ''],
    ['bad_request', new Uint8Array([0x22, 0xff, 0x22])],
    ['validation_failed', '{"name":"A"}'],
  ])('is %s: %j', async (code, body) => {
    expect(await send(body, 'application/json')).toMatchObject({ code })
  })

  test('names the fields that are invalid', async () => {
    expect((await send('{"name":"A"}', 'application/json')).errors).toEqual([
      { field: 'name', message: 'This is too short or too small.' },
    ])
  })

  test('that is not UTF-8 is refused with that reason', async () => {
    const { detail } = await send(new Uint8Array([0xff]), 'application/json')
    expect(detail).toBe('The body is not valid UTF-8.')
  })

  test('can be read twice', async () => {
    const fields = await respond('name=Ada', formType, async (c) => [
      await formFields(c),
      await formFields(c),
    ])
    expect(fields).toEqual({ read: [{ name: 'Ada' }, { name: 'Ada' }] })
  })
})

describe('the fields of a form', () => {
  test('are none for another type', async () => {
    expect(await respond('{"a":"b"}', 'application/json', formFields)).toEqual({ read: {} })
    expect(await respond(undefined, undefined, formFields)).toEqual({ read: {} })
  })

  test('are too many above a limit', async () => {
    const response = await respond('a&'.repeat(300), formType, formFields)
    expect(response).toMatchObject({
      code: 'body_too_large',
      detail: 'A form can have at most 200 fields, with names of at most 200 characters.',
    })
  })
})

describe('the fields of a URL', () => {
  test('are returned as the schema reads them', () => {
    expect(readFields({ name: 'Ada' }, schema, 'not_found')).toEqual({ name: 'Ada' })
  })

  test('are not found, or invalid', () => {
    expect(() => readFields({}, schema, 'not_found')).toThrow(
      expect.objectContaining({ code: 'not_found', extras: {} }),
    )
    expect(() => readFields({}, schema, 'validation_failed')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        extras: { errors: [{ field: 'name', message: 'This field is required.' }] },
      }),
    )
  })
})

describe('a body of unknown length', () => {
  const streamOf = (...parts: string[]) =>
    new Blob(parts).stream() as unknown as ReadableStream<Uint8Array>

  test('is read up to the limit', async () => {
    expect(await readBodyUpTo(4, streamOf('ab', 'cd'))).toBe('abcd')
    await expect(readBodyUpTo(3, streamOf('ab', 'cd'))).rejects.toMatchObject({
      code: 'body_too_large',
    })
  })

  test('is not read on after the limit', async () => {
    let canceled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel() {
        canceled = true
      },
    })
    await expect(readBodyUpTo(25, endless)).rejects.toMatchObject({ code: 'body_too_large' })
    expect(canceled).toBe(true)
  })

  test('whose client disconnects is a bad request', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('aborted')),
    })
    await expect(readBodyUpTo(10, broken)).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('a validation error says', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['This field is required.', z.string(), undefined],
    ['This has the wrong type.', z.string(), 7],
    ['This is too short or too small.', z.string().min(2), 'a'],
    ['This is too short or too small.', z.number().min(2), 1],
    ['This is too long or too large.', z.string().max(1), 'ab'],
    ['Choose one of the listed values.', z.enum(['a', 'b']), 'c'],
    ['Choose one of the listed values.', z.literal('a'), 'b'],
    ['Unknown field.', z.strictObject({}), { a: 1 }],
    ['Enter a name.', z.string('Enter a name.'), 7],
    ['Not Too short.', z.string().min(2, 'Not Too short.'), 'a'],
  ])('%s (%#)', (message, fieldSchema, input) => {
    expect(validateInput(fieldSchema, input).errors).toEqual([{ field: '', message }])
  })

  test('which field of an object or a list is meant', () => {
    const nested = z.object({ list: z.array(z.object({ a: z.string() })) })
    expect(validateInput(nested, { list: [{ a: 'x' }, {}] }).errors).toEqual([
      { field: 'list.1.a', message: 'This field is required.' },
    ])
  })
})

test('a null character is refused wherever it is, because PostgreSQL cannot store it', () => {
  const message = 'Remove the null character.'
  const input = { a: 'x\0', b: { c: ['ok', '\0'] }, d: null, e: 7, f: 'ok' }
  expect(validateInput(z.any(), input).errors).toEqual([
    { field: 'a', message },
    { field: 'b.c.1', message },
  ])
  expect(validateInput(z.any(), { a: 'ok', d: null })).toEqual({ data: { a: 'ok', d: null } })
})
