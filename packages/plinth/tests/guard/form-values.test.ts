import { expect, test } from 'vitest'
import { z } from 'zod'
import { readFormValues } from '#guard/form-values'

const schema = z.object({
  title: z.string(),
  pages: z.int().nullable().default(null),
  price: z.number(),
  done: z.boolean(),
  notes: z.string().trim().max(10).nullable().default(null),
  version: z.string().transform(Number),
})

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

test('reads numbers, checkboxes and empty optional fields as the schema declares', () => {
  const form = formOf({
    title: '12',
    pages: '7',
    price: '-1.5',
    done: 'on',
    notes: '',
    version: '3',
  })
  expect(readFormValues(schema, form)).toEqual({
    title: '12',
    pages: 7,
    price: -1.5,
    done: true,
    notes: null,
    version: '3',
  })
})

test('an unchecked checkbox is false, and an empty optional number is null', () => {
  expect(readFormValues(schema, formOf({ done: 'off' }))).toEqual({ done: false })
  const values = readFormValues(schema, formOf({ title: '', pages: '' }))
  expect(values).toEqual({ title: '', pages: null, done: false })
})

test('leaves what it cannot read to the validation', () => {
  const form = formOf({ title: 'x', pages: 'many', price: '1e9', done: 'maybe', version: '1' })
  expect(readFormValues(schema, form)).toMatchObject({ pages: 'many', price: '1e9', done: 'maybe' })
  const { error } = schema.safeParse(readFormValues(schema, form))
  expect(error?.issues.map(({ path }) => path[0])).toEqual(['pages', 'price', 'done'])
})

test('reads all values of a repeated field as an array', () => {
  const form = formOf({ keep: 'github' })
  form.append('keep', 'google')
  const list = z.object({ keep: z.array(z.string()) })
  expect(readFormValues(list, form)).toEqual({ keep: ['github', 'google'] })
  expect(readFormValues(list, formOf({}))).toEqual({ keep: [] })
})

test('uses the last of repeated fields and ignores those of Next', () => {
  const form = formOf({ $ACTION_ID_1: '', title: 'first' })
  form.append('title', 'last')
  expect(readFormValues(schema, form)).toEqual({ title: 'last', done: false })
})
