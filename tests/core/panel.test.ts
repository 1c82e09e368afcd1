import { createElement, type FunctionComponent } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { expect, test } from 'vitest'
import { type Soon, soon } from '@/core/guard/soon'
import { Panel } from '@/core/ui/panel'

const Shown = Panel as FunctionComponent<{
  value: Soon<string>
  label: string
  children: (data: string) => string
}>

async function render(fetched: Promise<string>): Promise<string> {
  const { value } = await soon({ value: fetched }, 50)
  const children = (data: string) => `it is ${data}`
  const stream = await renderToReadableStream(
    createElement('main', null, createElement(Shown, { value, label: 'wait', children })),
    { onError: () => {} },
  )
  return new Response(stream).text()
}

test('what is there at once is in its place, with no skeleton before it', async () => {
  const html = await render(Promise.resolve('here'))
  expect(html).toContain('<main>it is here')
  expect(html).not.toContain('wait')
})

test('what takes longer comes after the skeleton', async () => {
  const html = await render(new Promise((resolve) => setTimeout(resolve, 300, 'late')))
  expect(html.indexOf('wait')).toBeGreaterThan(-1)
  expect(html.indexOf('it is late')).toBeGreaterThan(html.indexOf('wait'))
})

test('what fails late leaves the page as it is, with the skeleton in its place', async () => {
  const html = await render(new Promise((_, reject) => setTimeout(reject, 300, new Error('no'))))
  expect(html).toContain('wait')
  expect(html).not.toContain('it is')
})
