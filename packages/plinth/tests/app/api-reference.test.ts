import { expect, test } from 'vitest'
import { z } from 'zod'
import { createApi } from '#api/api'
import { anyone, isAdmin, isSignedIn } from '#guard/policy'
import { route } from '#guard/route'
import { limitsText, typeText } from '#http/open-api'
import { stylesIn } from '@/app/api/reference/reference-shell'

const markup = `<script>alert(1)</script><img src=x onerror="alert('1')">&amp;`

type Tree = { name: string; children: Tree[] }

const tree: z.ZodType<Tree> = z
  .object({
    name: z.string(),
    get children() {
      return z.array(tree)
    },
  })
  .meta({ id: 'Tree' })

const hostile = route(
  {
    method: 'post',
    path: '/hostile/:id',
    name: 'hostile',
    summary: markup,
    description: `${markup} \`${markup}\``,
    authorize: isAdmin,
    input: {
      params: z.object({ id: z.string() }),
      query: z.object({ color: z.enum(['red', '"><b>blue']).optional().describe(markup) }),
      body: z.object({ [markup]: z.string().default(markup) }),
      example: { [markup]: `</textarea>${markup}'` },
    },
    responses: { 200: { description: markup, body: tree } },
  },
  () => ({ name: '', children: [] }),
)

const signedIn = route(
  {
    method: 'get',
    path: '/own',
    name: 'own',
    summary: 'Own',
    authorize: isSignedIn,
    responses: {
      200: {
        description: 'Own.',
        body: z.object({
          id: z.uuid(),
          note: z.string().nullable(),
          tags: z.array(z.object({ label: z.enum(['a', 'b']) })).max(3),
          count: z.int().min(1).optional(),
        }),
      },
    },
  },
  () => ({ id: '', note: null, tags: [] }),
)

const open = route(
  {
    method: 'get',
    path: '/open',
    name: 'open',
    summary: 'Open',
    authorize: anyone,
    responses: { 200: { description: 'Open.', body: z.object({}) } },
  },
  () => ({}),
)

const api = createApi([{ id: 'test', api: [hostile, signedIn, open] }])

const html = await (await api.request('/api/docs')).text()

function articleOf(name: string): string {
  return new RegExp(`<article id="operation-${name}".*?</article>`, 's').exec(html)?.[0] ?? ''
}

function textOf(name: string): string {
  return articleOf(name)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

test('shows markup in declarations as text', () => {
  const article = articleOf('hostile')
  expect(article).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(article).not.toMatch(/<script|<img|<b>blue/)
  expect(html.match(/<script\b[^>]*>/g)).toEqual([
    '<script src="/theme.js">',
    '<script src="/reference.js" defer="">',
  ])
})

test('a body in a shell command stays one argument', () => {
  const [command = ''] = /<pre>curl .*?<\/pre>/s.exec(articleOf('hostile')) ?? []
  expect(command).toContain('&lt;/textarea&gt;')
  expect(command).toContain("'\\''".replaceAll("'", '&#39;'))
})

test('says who may call an operation', () => {
  expect(textOf('open')).toContain('Who may call it Anyone.')
  expect(textOf('own')).toContain('Who may call it Signed-in users.')
  expect(textOf('hostile')).toContain('Who may call it Signed-in users with the role admin.')
})

test('shows nested fields, arrays, enums, formats and null', () => {
  const text = textOf('own')
  expect(text).toContain('id string (uuid)')
  expect(text).toContain('note string or null')
  expect(text).toContain(
    'tags array of object at most 3 items label &quot;a&quot; or &quot;b&quot;',
  )
  expect(text).toContain('count integer optional at least 1')
})

test('a recursive schema ends', () => {
  expect(articleOf('hostile').match(/array of Tree/g)?.length).toBe(1)
})

test('only operations that change data need a confirmation, and only protected ones a session', () => {
  expect(articleOf('hostile')).toMatch(/data-changes="true"[^>]*data-session="true"/)
  expect(articleOf('own')).not.toContain('data-changes="true"')
  expect(articleOf('open')).not.toContain('data-session="true"')
})

test('describes alternatives and limits of a schema', () => {
  expect(typeText({ anyOf: [{ type: 'boolean' }, { const: 'yes' }] })).toBe('boolean or "yes"')
  expect(typeText({})).toBe('any value')
  expect(typeText({ type: 'object', additionalProperties: { type: 'integer' } })).toBe(
    'object of integer',
  )
  const limits = { minLength: 1, maxLength: 9, pattern: '^a', default: 'a' }
  expect(limitsText(limits)).toBe('1 to 9 characters, matches ^a, default "a"')
  expect(limitsText({ minimum: -Number.MAX_SAFE_INTEGER, maximum: 5 })).toBe('at most 5')
})

test('reads stylesheet, fonts and classes from a page', () => {
  const page = `<html lang="en" class="sans mono"><head><link rel="preload" href="/_next/a.woff2" as="font"/><link rel="stylesheet" href="/_next/a.css?v=1&amp;b" data-precedence="next"/><link rel="stylesheet" href="https://other.example/a.css"/>`
  expect(stylesIn(page)).toEqual({
    rootClass: 'sans mono',
    stylesheets: ['/_next/a.css?v=1&b'],
    fonts: ['/_next/a.woff2'],
  })
  expect(stylesIn('')).toEqual({ rootClass: '', stylesheets: [], fonts: [] })
})
