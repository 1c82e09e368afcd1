import { expect, test } from 'vitest'
import { button, message, paragraph, smallPrint } from '@/mail/message'

const url = 'https://app.example.com/x?a=1&b=2'
const sent = message('reader@example.com', {
  subject: 'News <1>',
  preview: 'Read "it".',
  parts: [paragraph('Tom & <b>Ann</b>'), button(url, 'Open "it"'), smallPrint('Small.')],
})

test('the plain text has every part once, with full URLs and without markup', () => {
  expect(sent.text).toBe(
    `News <1>\n\nTom & <b>Ann</b>\n\nOpen "it":\nhttps://app.example.com/x?a=1&b=2\n\nSmall.\n`,
  )
})

test('texts and URLs are escaped in the HTML', () => {
  expect(sent.html).toContain('<title>News &lt;1&gt;</title>')
  expect(sent.html).toContain('Tom &amp; &lt;b&gt;Ann&lt;/b&gt;')
  expect(sent.html).toContain('>Open &quot;it&quot;</a>')
  expect(sent.html).not.toContain('<b>')
})

test('a button also shows its URL, for mail clients without buttons', () => {
  const escaped = url.replace('&', '&amp;')
  expect(sent.html.split(`href="${escaped}"`)).toHaveLength(3)
  expect(sent.html).toContain(`>${escaped}</a>`)
})

test('the heading is the subject unless there is a title', () => {
  expect(sent.html).toContain('>News &lt;1&gt;</h1>')
  const titled = message('a@example.com', { subject: 'S', preview: 'P', title: 'T', parts: [] })
  expect(titled.html).toContain('>T</h1>')
  expect(titled).toMatchObject({ to: 'a@example.com', subject: 'S', text: 'T\n' })
})
