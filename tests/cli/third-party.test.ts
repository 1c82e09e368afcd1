import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from './support/app'
import { git, isThere, read, snapshot } from './support/run'
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
    plinth: { id: 'shop', requires: [], settings: { SHOP_KEY: 'The key of the till.' } },
    ...changes,
  }
  const all = {
    'package.json': JSON.stringify(manifest),
    'module.ts': "export const module = { id: 'shop' }\n",
    'shop/page.tsx': 'export default function Shop() {}\n',
    'migrations/0001_shop.sql': 'create table shop_orders (id uuid primary key);\n',
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
])('a module from %s is added and removed like any other', (_, from) => {
  const before = snapshot(app)
  const path = from(writeModule())
  expect(plinth('add', path, '--json')).toMatchObject({
    code: 0,
    json: { added: [{ id: 'shop', version: '1.2.0' }], settings: ['SHOP_KEY'] },
  })
  expect(isThere(app, 'src/app/(shop)/shop/page.tsx')).toBe(true)
  expect(read(app, 'src/modules.ts')).toContain('@/app/(shop)/module')
  expect(read(app, '.env.example')).toMatch(/# The key of the till\.\n# SHOP_KEY=\n$/)
  expect(plinth('list').out).toMatch(/^shop +installed +A shop\./m)

  const removed = plinth('remove', 'shop')
  expect(removed.out).toContain('drop table shop_orders;')
  expect(snapshot(app)).toEqual(before)
})

test('one that was edited is kept as a patch', () => {
  plinth('add', writeModule())
  writeFileSync(join(app, 'src/app/(shop)/module.ts'), '// mine\n')
  expect(plinth('remove', 'shop')).toMatchObject({
    code: 1,
    err: expect.stringContaining('src/app/(shop)/module.ts (changed)'),
  })
  expect(plinth('remove', 'shop', '--force').code).toBe(0)
  expect(read(app, 'removed-shop.patch')).toContain('+// mine')
})

test('what it depends on is asked for, and npm completes the lock file', () => {
  plinth('add', writeModule({ dependencies: { zod: '0.0.1', ms: '2.1.3' } }))
  const { dependencies } = JSON.parse(read(app, 'package.json'))
  expect(dependencies.ms).toBe('2.1.3')
  expect(dependencies.zod).not.toBe('0.0.1')
})

test('a module that another requires comes first and leaves last', () => {
  const needy = writeModule({ plinth: { id: 'shop', requires: ['content'] } })
  const before = snapshot(app)
  expect(plinth('add', needy)).toMatchObject({
    code: 1,
    err: expect.stringContaining('shop needs content'),
  })
  expect(snapshot(app)).toEqual(before)
  expect(plinth('add', 'content', needy).code).toBe(0)
  expect(plinth('remove', 'content')).toMatchObject({
    code: 1,
    err: expect.stringContaining('shop needs content'),
  })
  expect(isThere(app, 'src/app/(content)/module.ts')).toBe(true)
  expect(plinth('remove', 'content', 'shop').code).toBe(0)
  expect(snapshot(app)).toEqual(before)
})

test.each([
  ['no id', () => writeModule({ plinth: {} }), /"plinth": \{ "id"/],
  ['an id that climbs', () => writeModule({ plinth: { id: '../..' } }), /"plinth": \{ "id"/],
  [
    'an odd setting',
    () => writeModule({ plinth: { id: 'shop', settings: { 'a\nb': '' } } }),
    /setting/,
  ],
  ['no package.json', () => temporaryFolder(), /no package\.json/],
  ['broken JSON', () => writeModule({}, { 'package.json': '{' }), /not JSON/],
  ['nothing there', () => join(temporaryFolder(), 'nowhere'), /is not there/],
  [
    'a link out of it',
    () => {
      const folder = writeModule()
      symlinkSync('/etc/hostname', join(folder, 'link.ts'))
      return folder
    },
    /holds a link/,
  ],
])('%s is refused, and nothing changes', (_, make, message) => {
  const before = snapshot(app)
  const { code, err } = plinth('add', make())
  expect(code).toBe(1)
  expect(err).toMatch(message)
  expect(snapshot(app)).toEqual(before)
})
