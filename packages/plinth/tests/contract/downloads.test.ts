import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApi, routesOf } from '#api/api'
import { anyone } from '#guard/policy'
import { route } from '#guard/route'
import { modules } from '@/modules'

let runs = 0

const file = route(
  {
    method: 'get',
    path: '/file',
    name: 'file',
    summary: 'A file',
    authorize: anyone,
    download: 'things.csv',
    responses: { 200: { description: 'A file.', type: 'text/csv', body: z.string() } },
  },
  ({ c }) => {
    runs += 1
    return c.body('a,b')
  },
)

const api = createApi([...modules, { id: 'test', api: [file] }])

beforeEach(() => {
  runs = 0
})

const embedded: [string, Record<string, string>][] = [
  ...[
    'image',
    'iframe',
    'frame',
    'embed',
    'object',
    'script',
    'style',
    'audio',
    'video',
    'junk',
  ].map((destination): [string, Record<string, string>] => [
    `as ${destination}`,
    { 'sec-fetch-dest': destination, 'sec-fetch-site': 'same-origin' },
  ]),
  ['by a script of another site', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' }],
  ['by a script of a neighbor', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-site' }],
  ['by an old browser of another site', { origin: 'https://evil.example' }],
]

const direct: [string, Record<string, string>][] = [
  ['by a caller that is no browser', {}],
  ['by a link', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }],
  ['by a link in a mail', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
  ['by our own script', { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }],
  ['in the address bar', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }],
]

const downloads = routesOf(modules).filter(({ declaration }) => declaration.download)
const paths = ['/file', ...downloads.map(({ declaration }) => declaration.path)]

describe('a download', () => {
  test.each(embedded)('is refused %s', async (_, headers) => {
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        const response = await api.request(`/api${path}`, { method, headers })
        expect([path, response.status]).toEqual([path, 403])
        expect(response.headers.get('content-disposition')).toBeNull()
        if (method === 'GET') expect((await response.json()).code).toBe('download_refused')
      }
    }
    expect(runs).toBe(0)
  })

  test.each(direct)('is allowed %s', async (_, headers) => {
    const response = await api.request('/api/file', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="things.csv"')
    expect(await response.text()).toBe('a,b')
  })

  test('has the problem and the header in OpenAPI', async () => {
    const document = await (await api.request('/api/openapi.json')).json()
    for (const path of paths) {
      const { responses } = document.paths[`/api${path}`].get
      expect(responses[200].headers).toHaveProperty('Content-Disposition')
      expect(responses[403].description).toContain('`download_refused`')
    }
  })
})
