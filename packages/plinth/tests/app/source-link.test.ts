import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server.edge'
import { afterEach, expect, test } from 'vitest'
import { openApiDocument } from '#api/openapi/document'
import { configure } from '#config/app-config'
import { config } from '@/plinth.config'
import { Shell } from '@/ui/shell'

const { source: original } = config

afterEach(() => {
  Object.assign(config, { source: original })
  configure(config)
})

function shown(source: string | undefined) {
  Object.assign(config, { source })
  configure(config)
  const { externalDocs } = openApiDocument([], 'http://localhost:3000')
  const props: ComponentProps<typeof Shell> = { children: '' }
  return { footer: renderToStaticMarkup(createElement(Shell, props)), externalDocs }
}

test('the footer and the API reference link to the source code of the configuration', () => {
  const { footer, externalDocs } = shown('https://example.com/source')
  expect(footer).toMatch(/<a href="https:\/\/example\.com\/source"[^>]*>Source code<\/a>/)
  expect(externalDocs).toEqual({ description: 'Source code', url: 'https://example.com/source' })
})

test('without a source there is no link', () => {
  const { footer, externalDocs } = shown(undefined)
  expect(footer).not.toContain('Source code')
  expect(externalDocs).toBeUndefined()
})
