import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '../support/app'
import { exists, git, read, run, snapshot } from '../support/run'
import { temporaryFolder } from '../support/template'

let app: string
let plinth: ReturnType<typeof createApp>['plinth']

beforeAll(() => {
  ;({ app, plinth } = createApp('landing'))
})

beforeEach(() => {
  git(app, 'checkout', '--quiet', '.')
  git(app, 'clean', '--quiet', '-fd')
  rmSync(join(app, '.plinth/originals'), { recursive: true, force: true })
})

type Manifest = { name?: undefined; plinth?: object; dependencies?: Record<string, string> }

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
  expect(plinth('list').out).toMatch(/^shop +installed +A shop\. \(from /m)

  const removed = plinth('remove', 'shop')
  expect(removed.out).toContain('drop table shop_orders;')
  expect(snapshot(app)).toEqual(before)
})

test('shows, counts and saves the edits of a third-party module', () => {
  plinth('add', writeModule({ dependencies: { ms: '2.1.3' } }))
  expect(plinth('diff', 'shop').out).toBe('No changes to shop.\n')
  writeFileSync(join(app, 'src/app/(shop)/module.ts'), '// mine\n')
  writeFileSync(join(app, 'src/app/(shop)/mine.ts'), '// new\n')
  expect(plinth('list').out).toMatch(/^shop +2 edited +A shop\. \(from .*\/shop\)$/m)
  const { out } = plinth('diff', 'shop')
  expect(out).toContain("-export const module = { id: 'shop' }\n+// mine\n")
  expect(out).toContain('+// new')
  expect(plinth('remove', 'shop')).toMatchObject({
    code: 1,
    err: expect.stringContaining('src/app/(shop)/module.ts (changed)'),
  })
  const files = snapshot(join(app, 'src'))
  const removed = plinth('remove', 'shop', '--force')
  expect(removed.code).toBe(0)
  expect(removed.out).toContain(
    'To restore it: git apply removed-shop.patch, then npm run modules, then npm install ms@2.1.3',
  )
  git(app, 'apply', 'removed-shop.patch')
  run(process.execPath, ['scripts/start.mjs', 'modules'], app)
  expect(snapshot(join(app, 'src'))).toEqual(files)
})

test('a clone without the originals finds them in the history of git', () => {
  plinth('add', writeModule())
  git(app, 'add', '--all')
  git(app, 'commit', '--quiet', '-m', 'Add shop')
  rmSync(join(app, '.plinth/originals'), { recursive: true })
  writeFileSync(join(app, 'src/app/(shop)/module.ts'), '// mine\n')
  const found = plinth('diff', 'shop').out
  git(app, 'reset', '--quiet', '--soft', 'HEAD~1')
  git(app, 'reflog', 'expire', '--expire=now', '--all')
  const lost = plinth('diff', 'shop')
  git(app, 'reset', '--quiet')
  expect(found).toContain("-export const module = { id: 'shop' }\n+// mine\n")
  expect(lost).toMatchObject({ code: 0, out: expect.stringMatching(/module\.ts: edited\. Its/) })
})

test('a module written in the app has no original, and is not removed without --force', () => {
  const folder = 'src/app/(hand)'
  mkdirSync(join(app, folder))
  writeFileSync(join(app, folder, 'module.ts'), "export const module = { id: 'hand' }\n")
  run(process.execPath, ['scripts/start.mjs', 'modules'], app)
  const before = snapshot(app)
  expect(plinth('list').out).toMatch(/^hand +installed +\(written in this app\)$/m)
  expect(plinth('diff', 'hand')).toMatchObject({
    code: 0,
    out: expect.stringContaining(`git log -p -- '${folder}'`),
  })
  expect(plinth('remove', 'hand')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Written in this app: ${folder}`),
  })
  expect(snapshot(app)).toEqual(before)
  expect(plinth('remove', 'hand', '--force').out).toContain(
    'To restore it: git apply removed-hand.patch, then npm run modules\n',
  )
  expect(exists(app, folder)).toBe(false)
  git(app, 'apply', 'removed-hand.patch')
  run(process.execPath, ['scripts/start.mjs', 'modules'], app)
  rmSync(join(app, 'removed-hand.patch'))
  expect(snapshot(app)).toEqual(before)
})

test('takes from a folder what npm pack takes, without archives and secrets', () => {
  const stray = ['plinth-shop-1.2.0.tgz', 'old.zip', '.env', 'shop/notes.tar.gz']
  const ignored = ['node_modules/ms/index.js', '.git/config', '.DS_Store', 'cache/data.ts']
  const texts = Object.fromEntries([...stray, ...ignored].map((path) => [path, 'x\n']))
  const folder = writeModule({}, { ...texts, '.gitignore': 'cache/\n' })
  symlinkSync(folder, join(folder, 'node_modules/linked'))
  const { code, out } = plinth('add', folder)
  expect({ code, out }).toMatchObject({ code: 0 })
  for (const path of stray) expect(out).toContain(`Left out ${path}\n`)
  expect(Object.keys(snapshot(join(app, 'src/app/(shop)')))).toEqual([
    'migrations/0001_shop.sql',
    'module.ts',
    'package.json',
    'shop/page.tsx',
  ])
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
  ['an id with a path', () => writeModule({ plinth: { id: '../../..' } }), /"plinth": \{ "id"/],
  [
    'an invalid setting name',
    () => writeModule({ plinth: { id: 'shop', settings: { 'a\nb': '' } } }),
    /setting/,
  ],
  ['a folder without package.json', () => temporaryFolder(), /no package\.json/],
  ['a module without a name', () => writeModule({ name: undefined }), /needs a name and a version/],
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
