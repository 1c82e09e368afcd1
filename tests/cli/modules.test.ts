import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { git, isThere, read, run, snapshot } from './support/run'
import { packedTemplate, temporaryFolder, unpack } from './support/template'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const modules = ['account', 'admin', 'content', 'landing']
let program: string
let app: string

beforeAll(() => {
  const tarball = packedTemplate()
  program = tarball
  const folder = temporaryFolder()
  const creator = join(unpack(tarball), 'bin/create-plinth.mjs')
  expect(run(process.execPath, [creator, 'app', '--yes', '--modules', 'none'], folder).code).toBe(0)
  app = join(folder, 'app')
})

/** As a person types it: npm finds the app's own command, which finds the tarball. */
const plinth = (...args: string[]) =>
  run(process.execPath, [join(app, 'scripts/plinth.mjs'), ...args], app, { PLINTH_SOURCE: program })

beforeEach(() => {
  git(app, 'checkout', '--quiet', '.')
  git(app, 'clean', '--quiet', '-fd')
})

test('npx finds the command in the app itself', () => {
  const { code, out } = run('npx', ['plinth', 'list'], app, { PLINTH_SOURCE: program })
  expect(code).toBe(0)
  for (const id of modules) expect(out).toMatch(new RegExp(`^${id} +not installed`, 'm'))
})

test.each(modules)('%s: added, then removed, the tree is the same to the byte', (id) => {
  const before = snapshot(app)
  const added = plinth('add', id, '--json')
  expect(added).toMatchObject({ code: 0, json: { added: [{ id }] } })
  expect(isThere(app, `src/app/(${id})/module.ts`)).toBe(true)
  expect(read(app, 'src/modules.ts')).toContain(`@/app/(${id})/module`)
  expect(JSON.parse(read(app, 'plinth.json')).modules).toEqual([id])
  expect(plinth('diff', '--json').json).toMatchObject({ changed: [] })
  expect(plinth('remove', id).code).toBe(0)
  expect(snapshot(app)).toEqual(before)
})

test('all of them, in any order, give the app that is created with all of them', () => {
  expect(plinth('add', 'landing').code).toBe(0)
  expect(plinth('add', 'content', 'account').code).toBe(0)
  expect(plinth('add', 'admin').code).toBe(0)
  const folder = temporaryFolder()
  const creator = join(unpack(program), 'bin/create-plinth.mjs')
  run(process.execPath, [creator, 'app', '--yes', '--no-git'], folder)
  const created = snapshot(join(folder, 'app'))
  const grown = snapshot(app)
  // The README is the app's own after its first day; the record names another path.
  for (const tree of [created, grown]) {
    delete tree['README.md']
    delete tree['plinth.json']
  }
  expect(grown).toEqual(created)
})

test('a dependency comes and goes with its module, unless somebody else uses it', () => {
  const dependencies = () => JSON.parse(read(app, 'package.json')).dependencies
  plinth('add', 'content')
  expect(dependencies()['markdown-it']).toMatch(/^\d/)
  writeFileSync(join(app, 'src/mine.ts'), "import MarkdownIt from 'markdown-it'\n")
  expect(plinth('remove', 'content').code).toBe(0)
  expect(dependencies()['markdown-it']).toMatch(/^\d/)
})

test('edited files are not lost: refused, and with --force kept as a patch', () => {
  plinth('add', 'content')
  const before = snapshot(app)
  const edited = 'src/app/(content)/policy.ts'
  const text = `${read(app, edited)}// mine\n`
  writeFileSync(join(app, edited), text)
  writeFileSync(join(app, 'src/app/(content)/mine.ts'), 'export const mine = 1\n')
  const mine = snapshot(app)

  const refused = plinth('remove', 'content')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(`${edited} (changed)`)
  expect(refused.err).toContain('src/app/(content)/mine.ts (added)')
  expect(snapshot(app)).toEqual(mine)

  const forced = plinth('remove', 'content', '--force')
  expect(forced).toMatchObject({ code: 0, out: expect.stringContaining('removed-content.patch') })
  expect(isThere(app, 'src/app/(content)')).toBe(false)
  plinth('add', 'content')
  git(app, 'apply', 'removed-content.patch')
  rmSync(join(app, 'removed-content.patch'))
  expect(snapshot(app)).toEqual(mine)
  expect(mine).not.toEqual(before)
})

test('tables stay, and it says how to drop them', () => {
  plinth('add', 'content')
  const { out } = plinth('remove', 'content')
  expect(out).toContain('Its tables stay')
  expect(out).toContain('drop table articles;')
  expect(plinth('list', '--json').json).toMatchObject({ version: expect.any(String) })
})

test('diff shows what was edited, and nothing else', () => {
  plinth('add', 'content')
  writeFileSync(join(app, 'src/app/(content)/policy.ts'), '// mine\n')
  const { json } = plinth('diff', 'content', '--json')
  expect(json).toMatchObject({ changed: ['src/app/(content)/policy.ts'] })
  expect(plinth('diff').out).toContain('+// mine')
  expect(plinth('list').out).toMatch(/^content +1 edited/m)
})

test('a reader that has seen enough is no failure', () => {
  const command = `'${process.execPath}' '${join(app, 'scripts/plinth.mjs')}' help`
  const { err } = run('sh', ['-c', `for _ in 1 2 3; do ${command} | true; done`], app, {
    PLINTH_SOURCE: program,
  })
  expect(err).not.toContain('EPIPE')
})

test.each([
  [['add', 'shop'], /There is no module shop/],
  [['add'], /Which module\?/],
  [['remove', 'content'], /content is not installed/],
  [['diff', 'content'], /not an installed module/],
  [['frobnicate'], /There is no command frobnicate/],
])('%j is refused, and nothing changes', (args, message) => {
  const before = snapshot(app)
  const { code, err } = plinth(...args)
  expect(code).toBe(1)
  expect(err).toMatch(message)
  expect(snapshot(app)).toEqual(before)
})

test('what is there already is not added twice, nor written over', () => {
  plinth('add', 'content')
  const before = snapshot(app)
  expect(plinth('add', 'content')).toMatchObject({ code: 1 })
  expect(snapshot(app)).toEqual(before)
})
