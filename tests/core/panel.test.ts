import { createElement, type FunctionComponent } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { expect, test } from 'vitest'
import { Panel } from '@/core/ui/panel'

/** A component that waits is for servers only, which the types of plain React do not know. */
const Shown = Panel as unknown as FunctionComponent<{
  value: Promise<string>
  label: string
  children: (data: string) => string
}>

async function render(value: Promise<string>): Promise<string> {
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
  const html = await render(new Promise((resolve) => setTimeout(resolve, 600, 'late')))
  expect(html.indexOf('wait')).toBeGreaterThan(-1)
  expect(html.indexOf('it is late')).toBeGreaterThan(html.indexOf('wait'))
})

test('what fails at once fails the page, which then says so', async () => {
  await expect(render(Promise.reject(new Error('no')))).rejects.toThrow('no')
})
