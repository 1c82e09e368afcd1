import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server.edge'
import { expect, test } from 'vitest'
import { doneField } from '@/core/ui/done-field'
import { FilterForm } from '@/core/ui/filter-form'
import { FlashNotice } from '@/core/ui/flash-notice'
import { Pagination } from '@/core/ui/pagination'
import { urlWith } from '@/core/ui/url'

const messages = { created: 'Draft saved.', deleted: 'Article deleted.' }

test('a query field accepts exactly the keys of the messages', () => {
  const field = doneField(messages)
  expect(field.parse('created')).toBe('created')
  expect(field.parse(undefined)).toBeUndefined()
  for (const unknown of ['Draft saved.', 'toString', '']) {
    expect(field.safeParse(unknown).success, unknown).toBe(false)
  }
})

test('shows the message of the completed action, or the error instead', () => {
  const render = (done?: keyof typeof messages, error?: string) =>
    renderToStaticMarkup(
      createElement(FlashNotice<keyof typeof messages>, { done, messages, error }),
    )
  expect(render()).toBe('')
  expect(render('created')).toMatch(/role="status"[^>]*>Draft saved\./)
  expect(render('created', 'Not saved.')).toMatch(/role="alert"[^>]*>Not saved\./)
})

test('links to the previous and the next page, and renders nothing without either', () => {
  const render = (links: Pick<ComponentProps<typeof Pagination>, 'previousHref' | 'nextHref'>) =>
    renderToStaticMarkup(createElement(Pagination, { label: 'Pages of notes', ...links }))
  expect(render({ previousHref: undefined, nextHref: undefined })).toBe('')
  const first = render({ previousHref: undefined, nextHref: '?a' })
  expect(first).toContain('<nav aria-label="Pages of notes"')
  expect(first).toMatch(/<a href="\?a" rel="next"[^>]*>Next page<\/a>/)
  expect(first).not.toContain('rel="prev"')
  expect(render({ previousHref: '?b', nextHref: undefined })).toMatch(
    /<a href="\?b" rel="prev"[^>]*>Previous page<\/a>/,
  )
})

test('offers to clear a filter only if one is set', () => {
  const render = (clearHref: string | undefined) => {
    const props = { submitLabel: 'Search', clearHref, children: 'fields' }
    return renderToStaticMarkup(createElement(FilterForm, props))
  }
  expect(render(undefined)).not.toContain('Clear')
  expect(render('/notes')).toMatch(/<a href="\/notes"[^>]*>Clear<\/a>/)
})

test('a URL has only the fields that are set', () => {
  expect(urlWith('/notes', { query: undefined, role: '' })).toBe('/notes')
  expect(urlWith('/notes', { query: 'a&b', role: undefined })).toBe('/notes?query=a%26b')
})
