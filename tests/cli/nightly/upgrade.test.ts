import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { exists, git, read, run, snapshot } from '../support/run'
import { copyTemplate, pack, packedTemplate, release, temporaryFolder } from '../support/template'

let older: string
let newer: string
let app: string
let local: string

const template = (path: string) => readFileSync(path, 'utf8')

beforeAll(() => {
  const source = copyTemplate(temporaryFolder())
  older = packedTemplate()
  const manifest = JSON.parse(template('package.json'))
  release(source, '9.0.0', {
    'src/ui/forms/field-label.ts': `${template('src/ui/forms/field-label.ts')}\nexport const added = true\n`,
    'src/ui/text.tsx': `// Nine.\n${template('src/ui/text.tsx')}`,
    'src/new-in-nine.ts': 'export const nine = 9\n',
    'packages/plinth/src/new-in-nine.ts': 'export const nine = 9\n',
    'src/app/(landing)/content.ts': `// Nine.\n${template('src/app/(landing)/content.ts')}`,
    'deploy/metrics/runbooks.md': template('deploy/metrics/runbooks.md').replace(
      /^# .*$/m,
      '# Runbooks, revised',
    ),
    'package.json': JSON.stringify(
      { ...manifest, scripts: { ...manifest.scripts, nine: 'node nine.mjs' } },
      null,
      2,
    ),
    'CHANGELOG.md': '# Changelog\n\n## 9.0.0\n\n- Version nine.\n\n## 0.1.0\n\n- The first.\n',
  })
  rmSync(join(source, 'postcss.config.mjs'))
  newer = pack(source, temporaryFolder())
  const folder = temporaryFolder()
  run(
    'npm',
    [
      'exec',
      '--yes',
      `--package=${older}`,
      '--',
      'create-plinth',
      'app',
      '--yes',
      '--modules',
      'landing,account',
    ],
    folder,
  )
  app = join(folder, 'app')
  local = read(app, '.plinth/template.json')
})

beforeEach(() => {
  git(app, 'reset', '--quiet', '--hard')
  git(app, 'clean', '--quiet', '-fd')
  rmSync(join(app, '.plinth/undo'), { recursive: true, force: true })
  writeFileSync(join(app, '.plinth/template.json'), local)
  const first = git(app, 'rev-list', '--max-parents=0', 'HEAD').trim()
  git(app, 'reset', '--quiet', '--hard', first)
})

/** Without what an upgrade keeps to be undone. */
function trackedFiles(): Record<string, string> {
  const files = Object.entries(snapshot(app))
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.plinth/')))
}

const enginesOf = (folder: string) => readdirSync(join(folder, 'vendor'))

/** Runs what `npx plinth` runs; add-remove.nightly.test.ts runs npx itself, which takes seconds. */
const plinthIn = (folder: string, ...args: string[]) =>
  run(process.execPath, [join(folder, 'scripts/start.mjs'), ...args], folder)
const plinth = (...args: string[]) => plinthIn(app, ...args)

function edit(path: string, change: (text: string) => string): void {
  mkdirSync(dirname(join(app, path)), { recursive: true })
  writeFileSync(join(app, path), change(exists(app, path) ? read(app, path) : ''))
}

function commit(): void {
  git(app, 'add', '--all')
  git(app, 'commit', '--quiet', '-m', 'Mine')
}

test('keeps edits in five files and applies every change of the new version', () => {
  edit('src/ui/text.tsx', (text) => `${text}\n// mine\n`)
  edit('src/app/(landing)/content.ts', (text) => `${text}\n// mine\n`)
  edit('src/app/globals.css', (text) => `${text}\n/* mine */\n`)
  edit('src/app/(account)/policy.ts', (text) => `${text}\n// mine\n`)
  edit('package.json', (text) => {
    const manifest = JSON.parse(text)
    const dependencies = { ...manifest.dependencies, zzz: '1.0.0' }
    return `${JSON.stringify({ ...manifest, description: 'Mine.', dependencies }, null, 2)}\n`
  })
  edit('src/mine/mine.ts', () => 'export const mine = 1\n')
  commit()

  const { code, out } = plinth('upgrade', '--to', newer)
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('to 9.0.0') })
  expect(out).toContain('Version nine.')
  expect(out).not.toContain('The first.')
  expect(read(app, 'src/ui/text.tsx')).toMatch(/^\/\/ Nine\.\n.*\n\/\/ mine\n$/s)
  expect(read(app, 'src/app/(landing)/content.ts')).toMatch(/^\/\/ Nine\.\n.*\n\/\/ mine\n$/s)
  expect(read(app, 'src/app/globals.css')).toContain('/* mine */')
  expect(read(app, 'src/app/(account)/policy.ts')).toContain('// mine')
  const manifest = JSON.parse(read(app, 'package.json'))
  expect(manifest).toMatchObject({ description: 'Mine.', name: 'app' })
  expect(manifest.dependencies.zzz).toBe('1.0.0')
  expect(manifest.scripts.nine).toBe('node nine.mjs')
  expect(read(app, 'src/mine/mine.ts')).toBe('export const mine = 1\n')
  expect(read(app, 'src/new-in-nine.ts')).toContain('nine')
  expect(read(app, 'src/ui/forms/field-label.ts')).toContain('export const added')
  expect(read(app, 'deploy/metrics/runbooks.md')).toContain('# Runbooks, revised')
  expect(exists(app, 'postcss.config.mjs')).toBe(false)
  expect(exists(app, 'CHANGELOG.md')).toBe(false)
  expect(enginesOf(app)).toEqual(['plinth-9.0.0.tgz'])
  expect(exists(app, 'packages')).toBe(false)
  expect(JSON.parse(read(app, 'plinth.json'))).toMatchObject({ version: '9.0.0', name: 'app' })
  commit()

  const again = plinth('upgrade', '--to', newer)
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('No files changed') })
  expect(git(app, 'status', '--porcelain')).toBe('')
  expect(plinth('diff', '--json').json).toMatchObject({ version: '9.0.0' })
})

test('--engine takes only the engine, and is no edit of the app', () => {
  const before = trackedFiles()
  const { code, json } = plinth('upgrade', '--engine', '--to', newer, '--json')
  expect({ code, json }).toMatchObject({ code: 0, json: { from: '0.1.0', to: '9.0.0' } })
  const after = trackedFiles()
  const paths = Object.keys({ ...before, ...after })
  expect(paths.filter((path) => before[path] !== after[path]).sort()).toEqual([
    'package-lock.json',
    'package.json',
    'vendor/plinth-0.1.0.tgz',
    'vendor/plinth-9.0.0.tgz',
  ])
  const manifest = JSON.parse(read(app, 'package.json'))
  expect(manifest.dependencies.plinth).toBe('file:vendor/plinth-9.0.0.tgz')
  const engine = JSON.parse(read(app, 'package-lock.json')).packages['node_modules/plinth']
  const content = readFileSync(join(app, 'vendor/plinth-9.0.0.tgz'))
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
  expect(engine).toMatchObject({ version: '9.0.0', integrity })
  expect(JSON.parse(read(app, 'plinth.json')).version).toBe('0.1.0')
  commit()
  expect(plinth('diff', '--json').json).toMatchObject({ changed: [] })

  expect(plinth('upgrade', '--to', newer, '--json')).toMatchObject({
    code: 0,
    json: { from: '0.1.0', to: '9.0.0', conflicts: [] },
  })
  expect(enginesOf(app)).toEqual(['plinth-9.0.0.tgz'])
  expect(plinth('upgrade', '--undo').code).toBe(0)
  expect(trackedFiles()).toEqual(after)
})

test('an upgrade brings a tarball back that was deleted', () => {
  rmSync(join(app, 'vendor/plinth-0.1.0.tgz'))
  commit()
  expect(plinth('upgrade', '--to', newer).code).toBe(0)
  expect(enginesOf(app)).toEqual(['plinth-9.0.0.tgz'])
})

test('an upgrade of the engine can be undone', () => {
  const before = snapshot(app)
  expect(plinth('upgrade', '--engine', '--to', newer).code).toBe(0)
  expect(plinth('upgrade', '--undo').code).toBe(0)
  expect(snapshot(app)).toEqual(before)
})

test('marks and lists conflicts and overwrites nothing', () => {
  edit('deploy/metrics/runbooks.md', (text) => text.replace(/^# .*$/m, '# My runbooks'))
  edit('postcss.config.mjs', (text) => `${text}// mine\n`)
  rmSync(join(app, 'src/ui/forms/field-label.ts'))
  edit('src/new-in-nine.ts', () => 'export const mine = 1\n')
  commit()

  const { code, json } = plinth('upgrade', '--to', newer, '--json')
  expect(code).toBe(2)
  expect(json).toMatchObject({
    conflicts: ['deploy/metrics/runbooks.md', 'src/new-in-nine.ts'],
  })
  const marked = read(app, 'deploy/metrics/runbooks.md')
  expect(marked).toContain('<<<<<<< this app\n# My runbooks\n=======\n')
  expect(marked).toContain('# Runbooks, revised\n>>>>>>> Plinth 9.0.0')
  expect(read(app, 'src/new-in-nine.ts')).toContain('export const mine = 1')
  expect(read(app, 'postcss.config.mjs')).toContain('// mine')
  expect(exists(app, 'src/ui/forms/field-label.ts')).toBe(false)
})

test('--undo restores every file, also without git', () => {
  edit('src/ui/text.tsx', (text) => `${text}\n// mine\n`)
  edit('deploy/metrics/runbooks.md', (text) => text.replace(/^# .*$/m, '# My runbooks'))
  rmSync(join(app, 'src/ui/forms/field-label.ts'))
  commit()
  const before = snapshot(app)
  expect(plinth('upgrade', '--undo')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no upgrade to undo on this machine'),
  })
  renameSync(join(app, '.git'), join(app, '../git'))
  const upgraded = plinth('upgrade', '--to', newer, '--force')
  edit('package-lock.json', (text) => `${text}\n`)
  const undone = plinth('upgrade', '--undo')
  renameSync(join(app, '../git'), join(app, '.git'))
  expect(upgraded).toMatchObject({ code: 2, out: expect.stringContaining('upgrade --undo') })
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining('from 0.1.0 to 9.0.0') })
  expect(snapshot(app)).toEqual(before)
})

test('--undo refuses to lose later edits and changes nothing', () => {
  const before = snapshot(app)
  expect(plinth('upgrade', '--to', newer).code).toBe(0)
  edit('src/ui/text.tsx', (text) => `${text}\n// later\n`)
  edit('src/mine.ts', () => '// not part of the upgrade\n')
  const edited = snapshot(app)
  expect(plinth('upgrade', '--undo')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^ {2}src\/ui\/text\.tsx\n\nNothing was undone/),
  })
  expect(plinth('upgrade', '--undo', '--force', '--dry-run').code).toBe(0)
  expect(snapshot(app)).toEqual(edited)
  expect(plinth('upgrade', '--undo', '--force').code).toBe(0)
  rmSync(join(app, 'src/mine.ts'))
  expect(snapshot(app)).toEqual(before)
})

test('a dry run prints the changes and makes none', () => {
  const before = snapshot(app)
  const { code, out } = plinth('upgrade', '--to', newer, '--dry-run')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('Would upgrade') })
  expect(out).toContain('Nothing was changed.')
  expect(snapshot(app)).toEqual(before)
})

test.each(['src/core', 'packages/plinth/src'])(
  'refuses an app of before the first release, which has %s, in one line',
  (earlier) => {
    edit(`${earlier}/log.ts`, () => 'export const log = 1\n')
    commit()
    const before = snapshot(app)
    const { code, err } = plinth('upgrade', '--to', newer)
    expect({ code, lines: err.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
    expect(err).toContain(`(it has ${earlier}) and cannot be converted`)
    expect(snapshot(app)).toEqual(before)
  },
)

test.each([
  ['uncommitted changes', ['--to', 'NEWER'], /There are uncommitted changes/, true],
  ['a missing --to', [], /created from a tarball\. Pass the new one/, false],
  ['a missing tarball', ['--to', './nowhere.tgz'], /Not found/, false],
  ['the wrong base', ['--to', 'NEWER', '--base', 'NEWER'], /was created from/, false],
])('rejects %s and changes nothing', (_, args, message, isDirty) => {
  if (isDirty) edit('src/ui/text.tsx', (text) => `${text}\n// mine\n`)
  const before = snapshot(app)
  const { code, err } = plinth('upgrade', ...args.map((word) => word.replace('NEWER', newer)))
  expect(code).toBe(1)
  expect(err).toMatch(message)
  expect(snapshot(app)).toEqual(before)
})

test('upgrades from a repository by tag and by commit', () => {
  const repository = copyTemplate(temporaryFolder())
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'One'],
  ])
    git(repository, ...args)
  const folder = temporaryFolder()
  const creator = join(repository, 'cli/bin/create-plinth.mjs')
  expect(run(process.execPath, [creator, 'app', '--yes', '--modules', 'none'], folder).code).toBe(0)
  const own = join(folder, 'app')
  release(repository, '9.0.0', { 'src/new-in-nine.ts': 'export const nine = 9\n' })
  git(repository, 'add', '-A')
  git(repository, 'commit', '-qm', 'Nine')
  git(repository, 'tag', 'v9.0.0')
  release(repository, '10.0.0', { 'src/new-in-ten.ts': 'export const ten = 10\n' })
  git(repository, 'add', '-A')
  git(repository, 'commit', '-qm', 'Ten')

  expect(plinthIn(own, 'upgrade', '--to', '9.0.0').code).toBe(0)
  expect(exists(own, 'src/new-in-nine.ts')).toBe(true)
  expect(exists(own, 'src/new-in-ten.ts')).toBe(false)
  git(own, 'add', '--all')
  git(own, 'commit', '-qm', 'Nine')
  expect(plinthIn(own, 'upgrade').code).toBe(0)
  expect(exists(own, 'src/new-in-ten.ts')).toBe(true)
})
