import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server.edge'
import { expect, test } from 'vitest'
import { urlWith } from '#universal/url'
import { FilterForm } from '@/ui/forms/filter-form'
import { Pagination } from '@/ui/list'

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
