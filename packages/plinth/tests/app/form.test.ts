import { createElement, type ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { expect, test } from 'vitest'
import { type ActionError, type FormAction, refuse } from '#universal/action-result'
import { CheckboxField, InputField, SelectField, TextAreaField } from '@/ui/forms/field'
import { Form } from '@/ui/forms/form'

/** A server action, as React sees it after a form was sent without JavaScript. */
const save: FormAction = Object.assign(async () => ({ ok: true as const, data: undefined }), {
  $$FORM_ACTION: () => ({ name: '$ACTION_ID_save', method: 'POST', data: null }),
  $$IS_SIGNATURE_EQUAL: () => true,
})

async function render(error: ActionError | undefined, ...children: ReactNode[]): Promise<string> {
  const form = { action: save, permalink: '/notes', fields: { id: '7' }, submitLabel: 'Save' }
  const stream = await renderToReadableStream(
    createElement(Form, form, ...children),
    // The state, and the key, id and number of bound arguments of the action that returned it.
    error && { formState: [error, 'p/notes', 'save', 0] as never },
  )
  return new Response(stream).text()
}

const title = (props = {}) =>
  createElement(InputField, { key: 't', label: 'Title', name: 'title', required: true, ...props })
const body = (props = {}) =>
  createElement(TextAreaField, { key: 'b', label: 'Text', name: 'body', ...props })

const heading = createElement(InputField, { key: 'h', label: 'Heading', name: 'heading' })

const alertsIn = (html: string) =>
  [...html.matchAll(/role="alert"[^>]*>(.*?)<\/div>/gs)].map(([, text = '']) =>
    text.replace(/<[^>]+>/g, ''),
  )

const invalid = (errors: Record<string, string>, typed: Record<string, string> = {}) => ({
  ...refuse(
    'invalid',
    undefined,
    Object.entries(errors).map(([field, message]) => ({ field, message })),
  ),
  typed,
})

const tagOf = (html: string, name: string) =>
  [...html.matchAll(/<(?:input|textarea|select)[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(`name="${name}"`))
    .at(-1)

test('sends hidden fields, and shows no error before it was sent', async () => {
  const html = await render(undefined, title({ defaultValue: 'Old', autoFocus: true }))
  expect(tagOf(html, 'id')).toContain('value="7"')
  expect(tagOf(html, 'title')).toMatch(/value="Old"/)
  expect(tagOf(html, 'title')).toContain('autofocus')
  expect(html).not.toContain('aria-invalid=')
  expect(html).not.toContain('role="alert"')
  expect(html).toContain('type="submit"')
})

test('shows errors and typed text in the fields, and focuses the first invalid one', async () => {
  const error = invalid({ title: 'Enter a title.', body: 'Too long.' }, { title: '  ', body: 'B' })
  const html = await render(error, title({ defaultValue: 'Old' }), body({ defaultValue: 'Old' }))
  expect(html).toContain('Enter a title.')
  expect(html).toContain('Too long.')
  expect(html).not.toContain('role="alert"')
  expect(tagOf(html, 'title')).toMatch(/aria-invalid="true"/)
  expect(tagOf(html, 'title')).toContain('value="  "')
  expect(html).toMatch(/<textarea[^>]*>B<\/textarea>/)
  expect(html.match(/autofocus/g)).toHaveLength(1)
  expect(tagOf(html, 'title')).toContain('autofocus')
})

test('does not focus the usual field if another one is invalid', async () => {
  const html = await render(invalid({ body: 'Too long.' }), title({ autoFocus: true }), body())
  expect(tagOf(html, 'title')).not.toContain('autofocus')
  expect(tagOf(html, 'body')).toContain('autofocus')
})

test('the own error of a field wins; text that is not kept is the default value', async () => {
  const error = invalid({ title: 'Enter a title.' })
  const html = await render(error, title({ defaultValue: 'Old', error: 'Choose another title.' }))
  expect(html).toContain('Choose another title.')
  expect(html).not.toContain('Enter a title.')
  expect(tagOf(html, 'title')).toContain('value="Old"')
})

test('a read-only value is not replaced by typed text', async () => {
  const error = invalid({ title: 'Enter a title.' }, { title: 'typed' })
  const html = await render(error, title({ value: 'fixed', readOnly: true }))
  expect(tagOf(html, 'title')).toContain('value="fixed"')
})

test.each([
  ['an error of the whole form', refuse('conflict', 'Another user saved first.')],
  ['an error that belongs to no field', invalid({ '': 'Another user saved first.' })],
  ['an error of a hidden field', { ...invalid({ id: 'x' }), message: 'Another user saved first.' }],
])('shows %s at the top', async (_, error) => {
  const html = await render(error, title())
  expect(html).toMatch(/role="alert"[^>]*>Another user saved first\./)
})

test('shows an error that no field claims, with its name, after the fields', async () => {
  const errors = { titel: 'Unknown field.', 'tags.1': 'This is too long.', body: 'Too long.' }
  const html = await render(invalid(errors, { heading: 'Typed' }), body(), heading)
  expect(alertsIn(html)).toEqual(['titel: Unknown field.tags.1: This is too long.'])
  expect(html.indexOf('role="alert"')).toBeGreaterThan(html.indexOf('name="body"'))
  expect(html).toContain('Too long.')
  expect(tagOf(html, 'heading')).toContain('value="Typed"')
})

test('does not show errors of hidden fields beside those of fields', async () => {
  const html = await render(invalid({ title: 'Enter a title.', id: 'Invalid.' }), title())
  expect(alertsIn(html)).toEqual([])
})

test('offers to send a form again that got no response, and shows its text', async () => {
  const lost: ActionError = { ...refuse('unavailable', 'No response.'), isLost: true }
  const html = await render({ ...lost, typed: { title: 'Typed' } }, title())
  expect(alertsIn(html)).toEqual(['No response.Try again'])
  expect(html).toMatch(/<button[^>]*type="submit"[^>]*>Try again/)
  expect(tagOf(html, 'title')).toContain('value="Typed"')
})

const color = createElement(SelectField, {
  key: 'c',
  label: 'Color',
  name: 'color',
  defaultValue: 'red',
  options: ['red', 'blue'].map((value) => ({ value, label: value })),
})

test.each([
  [{}, 'red'],
  [{ color: 'blue' }, 'blue'],
])('a select with the kept text %j has %s selected', async (typed, selected) => {
  const html = await render(invalid({ title: 'Enter a title.' }, typed), color)
  expect(html).toContain(`<option value="${selected}" selected="">`)
  expect(html.match(/selected=""/g)).toHaveLength(1)
})

test.each([
  ['checked', { pinned: 'on' }, false, true],
  ['unchecked', { pinned: 'off' }, true, false],
  ['as it was if it is not kept', {}, true, true],
])('restores a checkbox %s', async (_, typed, defaultChecked, checked) => {
  const pinned = { key: 'p', label: 'Pinned', name: 'pinned', defaultChecked }
  const error = invalid({ title: 'Enter a title.' }, typed)
  const html = await render(error, createElement(CheckboxField, pinned))
  expect(tagOf(html, 'pinned')?.includes('checked=""')).toBe(checked)
  expect(html).toContain('<input type="hidden" name="pinned" value="off"/>')
})
