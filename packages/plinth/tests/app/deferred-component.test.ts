import { createElement, type FunctionComponent } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { expect, test } from 'vitest'
import { defer } from '#guard/page'
import type { DeferredValue } from '#universal/deferred-value'
import { Deferred } from '@/ui/page-parts'

const DeferredText = Deferred as FunctionComponent<{
  value: DeferredValue<string>
  label: string
  children: (data: string) => string
}>

async function render(loading: Promise<string>): Promise<string> {
  const { value } = await defer({ value: loading }, 50)
  const children = (data: string) => `content: ${data}`
  const stream = await renderToReadableStream(
    createElement('main', null, createElement(DeferredText, { value, label: 'Loading', children })),
    { onError: () => {} },
  )
  return new Response(stream).text()
}

test('renders a resolved value without a skeleton', async () => {
  const html = await render(Promise.resolve('quick'))
  expect(html).toContain('<main>content: quick')
  expect(html).not.toContain('Loading')
})

test('streams a late value after the skeleton', async () => {
  const html = await render(new Promise((resolve) => setTimeout(resolve, 300, 'late')))
  expect(html.indexOf('Loading')).toBeGreaterThan(-1)
  expect(html.indexOf('content: late')).toBeGreaterThan(html.indexOf('Loading'))
})

test('keeps the skeleton when a late value fails', async () => {
  const html = await render(
    new Promise((_, reject) => setTimeout(reject, 300, new Error('failed'))),
  )
  expect(html).toContain('Loading')
  expect(html).not.toContain('content:')
})
