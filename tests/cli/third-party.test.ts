import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from './support/app'
import { exists, git, read, snapshot } from './support/run'
import { temporaryFolder } from './support/template'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let app: string
let plinth: ReturnType<typeof createApp>['plinth']

beforeAll(() => {
  ;({ app, plinth } = createApp('landing'))
})

beforeEach(() => {
  git(app, 'checkout', '--quiet', '.')
  git(app, 'clean', '--quiet', '-fd')
})

type Manifest = { plinth?: object; dependencies?: Record<string, string> }

function writeModule(changes: Manifest = {}, files: Record<string, string> = {}): string {
  const folder = join(temporaryFolder(), 'shop')
  const manifest = {
    name: 'plinth-shop',
    version: '1.2.0',
    type: 'module',
    description: 'A shop.',
    plinth: { id: 'shop', requires: [], settings: { SHOP_KEY: 'The API key of the shop.' } },
    ...changes,
  }
  const all = {
    'package.json': JSON.stringify(manifest),
    'module.ts': "export const module = { id: 'shop' }\n",
    'shop/page.tsx': 'export default function Shop() {}\n',
    'migrations/0001_shop.sql':
      '-- rolling: safe\ncreate table shop_orders (id uuid primary key);\n',
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function packModule(folder: string): string {
  const destination = temporaryFolder()
  const args = ['pack', '--silent', '--pack-destination', destination]
  const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' })
  return join(destination, name.trim())
}

test.each([
  ['a folder', (folder: string) => folder],
  ['a tarball', packModule],
])('adds and removes a module from %s', (_, from) => {
  const before = snapshot(app)
  const path = from(writeModule())
  expect(plinth('add', path, '--json')).toMatchObject({
    code: 0,
    json: { added: [{ id: 'shop', version: '1.2.0' }], settings: ['SHOP_KEY'] },
  })
  expect(exists(app, 'src/app/(shop)/shop/page.tsx')).toBe(true)
  expect(read(app, 'src/modules.ts')).toContain('@/app/(shop)/module')
  expect(read(app, '.env.example')).toMatch(/# The API key of the shop\.\n# SHOP_KEY=\n$/)
  expect(plinth('list').out).toMatch(/^shop +installed +A shop\./m)

  const removed = plinth('remove', 'shop')
  expect(removed.out).toContain('drop table shop_orders;')
  expect(snapshot(app)).toEqual(before)
})

test('saves the edits of a third-party module as a patch', () => {
  plinth('add', writeModule())
  writeFileSync(join(app, 'src/app/(shop)/module.ts'), '// mine\n')
  expect(plinth('remove', 'shop')).toMatchObject({
    code: 1,
    err: expect.stringContaining('src/app/(shop)/module.ts (changed)'),
  })
  expect(plinth('remove', 'shop', '--force').code).toBe(0)
  expect(read(app, 'removed-shop.patch')).toContain('+// mine')
})

test('adds missing dependencies and keeps existing versions', () => {
  plinth('add', writeModule({ dependencies: { zod: '0.0.1', ms: '2.1.3' } }))
  const { dependencies } = JSON.parse(read(app, 'package.json'))
  expect(dependencies.ms).toBe('2.1.3')
  expect(dependencies.zod).not.toBe('0.0.1')
})

test('a required module must be added first and removed last', () => {
  const dependent = writeModule({ plinth: { id: 'shop', requires: ['content'] } })
  const before = snapshot(app)
  expect(plinth('add', dependent)).toMatchObject({
    code: 1,
    err: expect.stringContaining('shop requires content'),
  })
  expect(snapshot(app)).toEqual(before)
  expect(plinth('add', 'content', dependent).code).toBe(0)
  expect(plinth('remove', 'content')).toMatchObject({
    code: 1,
    err: expect.stringContaining('shop requires content'),
  })
  expect(exists(app, 'src/app/(content)/module.ts')).toBe(true)
  expect(plinth('remove', 'content', 'shop').code).toBe(0)
  expect(snapshot(app)).toEqual(before)
})

test.each([
  ['a module without an id', () => writeModule({ plinth: {} }), /"plinth": \{ "id"/],
  ['an id with a path', () => writeModule({ plinth: { id: '../..' } }), /"plinth": \{ "id"/],
  [
    'an invalid setting name',
    () => writeModule({ plinth: { id: 'shop', settings: { 'a\nb': '' } } }),
    /setting/,
  ],
  ['a folder without package.json', () => temporaryFolder(), /no package\.json/],
  ['invalid JSON', () => writeModule({}, { 'package.json': '{' }), /not valid JSON/],
  ['a missing folder', () => join(temporaryFolder(), 'nowhere'), /Not found/],
  [
    'a symbolic link',
    () => {
      const folder = writeModule()
      symlinkSync('/etc/hostname', join(folder, 'link.ts'))
      return folder
    },
    /contains a symbolic link/,
  ],
])('rejects %s and changes nothing', (_, make, message) => {
  const before = snapshot(app)
  const { code, err } = plinth('add', make())
  expect(code).toBe(1)
  expect(err).toMatch(message)
  expect(snapshot(app)).toEqual(before)
})
