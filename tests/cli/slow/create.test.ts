import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { nightly } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { isComplete } from '../../../cli/source/package/lock-file.mjs'
import { createGenerateApp } from '../support/generate'
import { exists, git, read, run, snapshot } from '../support/run'
import { packedTemplate, temporaryFolder, unpack } from '../support/template'

let tarball: string
let program: string

beforeAll(() => {
  tarball = packedTemplate()
  program = join(unpack(tarball), 'bin/create-plinth.mjs')
})

const create = (cwd: string, ...args: string[]) => run(process.execPath, [program, ...args], cwd)

test('creates an app from a tarball and records its checksum, and its path on this machine', () => {
  const folder = temporaryFolder()
  const args = ['exec', '--yes', `--package=${tarball}`, '--', 'create-plinth', 'app', '--yes']
  const { code, out } = run('npm', args, folder)
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('npm start') })
  const record = JSON.parse(read(folder, 'app/plinth.json'))
  expect(record.from).toEqual({ integrity: expect.stringMatching(/^sha512-/) })
  expect(JSON.parse(read(folder, 'app/.plinth/template.json')).tarball).toBe(tarball)
  expect(record.modules).toEqual(['account', 'admin', 'content', 'landing', 'security'])
})

test('creates the same app without a network', () => {
  const folder = temporaryFolder()
  const withoutNetwork = ['--map-root-user', '--net', process.execPath, program]
  const offline = run('unshare', [...withoutNetwork, 'offline/app', '--yes'], folder)
  expect(offline).toMatchObject({ code: 0, err: '' })
  expect(create(folder, 'online/app', '--yes').code).toBe(0)
  expect(snapshot(join(folder, 'offline/app'))).toEqual(snapshot(join(folder, 'online/app')))
})

test('the app contains only what was chosen', () => {
  const folder = temporaryFolder()
  const choices = ['--modules', 'account', '--providers', 'github', '--name', 'My Shop', '--json']
  const { code, json } = create(folder, 'shop', ...choices)
  expect(code).toBe(0)
  expect(json).toMatchObject({
    folder: join(folder, 'shop'),
    name: 'My Shop',
    modules: ['account'],
    providers: ['github'],
    git: 'committed',
  })
  const app = join(folder, 'shop')
  expect(readdirSync(join(app, 'src/app')).filter((name) => name.startsWith('('))).toEqual([
    '(account)',
    '(auth)',
  ])
  const manifest = JSON.parse(read(app, 'package.json'))
  expect(manifest).toMatchObject({ name: 'my-shop', private: true })
  expect(manifest.dependencies['markdown-it']).toBeUndefined()
  expect(Object.keys(manifest.scripts)).not.toContain('bench')
  expect(Object.keys(manifest.scripts)).not.toContain('attack')
  expect(Object.keys(manifest.scripts)).not.toContain('test:cluster')
  expect(Object.keys(manifest.scripts)).not.toContain('test:mutation')
  expect(manifest.workspaces).toBeUndefined()
  const lock = JSON.parse(read(app, 'package-lock.json'))
  expect(lock.packages['node_modules/markdown-it']).toBeUndefined()
  expect(lock.packages.cli).toBeUndefined()
  expect(isComplete(lock)).toBe(true)
  expect(read(app, '.env.example')).toContain('AUTH_GITHUB_ID')
  expect(read(app, '.env.example')).not.toContain('AUTH_GOOGLE')
  const config = read(app, 'src/plinth.config.ts')
  expect(config).toContain("\n  providers: ['github'],\n")
  expect(config).toContain("\n  name: 'My Shop',\n")
  expect(read(app, 'README.md')).toMatch(/^# My Shop\n/)
  expect(read(app, 'README.md')).not.toContain('{{')
  for (const excluded of [
    'cli',
    'attack',
    'bench',
    'cluster',
    'mutation',
    'CHANGELOG.md',
    'tests/cli',
    'tests/attack',
  ]) {
    expect(exists(app, excluded)).toBe(false)
  }
  expect(git(app, 'ls-files', '.vscode').trim().split('\n')).toContain('.vscode/launch.json')
  expect(git(app, 'status', '--porcelain')).toBe('')
  expect(git(app, 'log', '--format=%s').trim()).toBe('Create app with Plinth')
})

/** Lines of an app that name the template: its license, its commands, and how apps are upgraded. */
const aboutTemplate = [
  /^LICENSE:/,
  /^README\.md: Made with Plinth/,
  /first release of Plinth/,
  /config\.name === 'Plinth'/,
]

test.each(['none', 'landing,account,admin,content,security'])(
  'an app with the modules %s has no unused code',
  (modules) => {
    const { folder } = createGenerateApp(modules)
    const tsConfig = ['--tsConfig', 'tsconfig.json']
    const knip = [join(folder, 'node_modules/knip/bin/knip.js'), ...tsConfig]
    const { code, out } = run(process.execPath, knip, folder)
    expect(code, out).toBe(0)
  },
)

test('the app has its own name in one place, and one host', () => {
  const folder = temporaryFolder()
  expect(create(folder, 'notes', '--yes', '--no-git', '--name', 'Acme Notes').code).toBe(0)
  const files = Object.entries(snapshot(join(folder, 'notes')))
  const ofApp = files.filter(([path]) => !path.startsWith('vendor/'))
  const lines = ofApp.flatMap(([path, content]) =>
    Buffer.from(content, 'base64')
      .toString()
      .split('\n')
      .map((line) => `${path}: ${line}`),
  )
  expect(lines.filter((line) => line.includes('Acme Notes'))).toEqual([
    'README.md: # Acme Notes',
    'plinth.json:   "name": "Acme Notes",',
    "src/plinth.config.ts:   name: 'Acme Notes',",
  ])
  const isAllowed = (line: string) => aboutTemplate.some((pattern) => pattern.test(line))
  expect(lines.filter((line) => line.includes('Plinth') && !isAllowed(line))).toEqual([])
  const documents = lines.filter((line) => /^(README|\.env|[^:]*README\.md)/.test(line))
  expect(documents.filter((line) => line.includes('http://localhost:3000'))).not.toEqual([])
  expect(documents.filter((line) => line.includes('http://127.0.0.1'))).toEqual([])
})

// Asks the registry about each package. isComplete() checks the same file in every run.
if (nightly)
  test('npm does not change the lock file', () => {
    const folder = temporaryFolder()
    create(folder, 'app', '--modules', 'none', '--providers', 'none', '--yes', '--no-git')
    const before = read(folder, 'app/package-lock.json')
    const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
    expect(run('npm', args, join(folder, 'app')).code).toBe(0)
    expect(read(folder, 'app/package-lock.json')).toBe(before)
  })

test.each([
  ["Ada's “shop” & <more>", 'ada-s-shop-more'],
  ['Ein "Laden"', 'ein-laden'],
  ['back\\slash', 'back-slash'],
  ['商店', 'app'],
])('accepts the name %s', (name, packageName) => {
  const folder = temporaryFolder()
  expect(create(folder, 'app', '--yes', '--no-git', '--modules', 'none', '--name', name).code).toBe(
    0,
  )
  const literal = /^ {2}name: (.*),$/m.exec(read(folder, 'app/src/plinth.config.ts'))?.[1] ?? ''
  expect(runInNewContext(literal)).toBe(name)
  expect(JSON.parse(read(folder, 'app/package.json')).name).toBe(packageName)
})

test.each([
  ['an unknown module', ['--modules', 'shop', '--yes'], /Unknown choice: shop\. Available: /],
  ['an unknown provider', ['--providers', 'acme', '--yes'], /Unknown choice: acme/],
  ['a name that is too long', ['--name', 'x'.repeat(61), '--yes'], /1 to 60 characters/],
  ['a name without a letter or digit', ['--name', '?', '--yes'], /^Invalid name: "\?"\. Use 1 to /],
  ['an unknown flag', ['--moduls', 'account'], /Unknown option/],
  ['a prompt without a terminal', [], /Pass --yes/],
])('rejects %s and writes nothing', (_, args, message) => {
  const folder = temporaryFolder()
  const { code, err } = create(folder, 'app', ...args)
  expect(code).toBe(1)
  expect(err).toMatch(message)
  expect(readdirSync(folder)).toEqual([])
})

test('rejects a folder that is not empty and accepts an empty one', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'app'))
  writeFileSync(join(folder, 'app/mine.txt'), 'mine')
  const { code, json } = create(folder, 'app', '--yes', '--json')
  expect({ code, json }).toEqual({ code: 1, json: { error: expect.stringContaining('not empty') } })
  expect(snapshot(folder)).toEqual({ 'app/mine.txt': Buffer.from('mine').toString('base64') })
  mkdirSync(join(folder, 'empty'))
  expect(create(folder, 'empty', '--yes').code).toBe(0)
  expect(exists(folder, 'empty/plinth.json')).toBe(true)
})

test('rejects a folder name that some systems cannot use', () => {
  const folder = temporaryFolder()
  expect(create(folder, '?', '--name', 'Shop', '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Invalid folder name: "?".'),
  })
  expect(readdirSync(folder)).toEqual([])
})

test('a dry run prints what it would create and creates nothing', () => {
  const folder = temporaryFolder()
  const { code, out } = create(folder, 'new/app', '--yes', '--name', 'My Shop', '--dry-run')
  expect(code).toBe(0)
  expect(out).toContain(
    `folder     ${join(folder, 'new/app')}\n  name       My Shop (package my-shop)`,
  )
  expect(out).toMatch(/Nothing was created\.\n$/)
  expect(readdirSync(folder)).toEqual([])
})

test('--help describes each module and provider', () => {
  const { code, out } = create(temporaryFolder(), '--help')
  expect(code).toBe(0)
  for (const id of ['account', 'admin', 'content', 'landing', 'security', 'github', 'google']) {
    expect(out).toMatch(new RegExp(`^  ${id} +\\S.{20,}$`, 'm'))
  }
})

test('leaves a complete app or nothing when interrupted, and says which', async () => {
  for (let round = 0; round < 6; round += 1) {
    const folder = temporaryFolder()
    const child = spawn(process.execPath, [program, 'new/app', '--yes'], { cwd: folder })
    let output = ''
    let timer: NodeJS.Timeout | undefined
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text
        if (!output.includes('Writing the app')) return
        timer ??= setTimeout(() => child.kill('SIGINT'), 200 * round)
      })
    }
    const [code, signal] = await once(child, 'close')
    clearTimeout(timer)
    const isCanceled = output.includes('Canceled. Nothing was changed.')
    // Node no longer handles signals while the process ends, after the last line.
    const ends = isCanceled ? [130] : [0, 'SIGINT']
    expect(ends, output).toContain(code ?? signal)
    if (!isCanceled) expect(output).toMatch(/^Created /m)
    expect(readdirSync(folder)).toEqual(isCanceled ? [] : ['new'])
    if (!isCanceled) expect(exists(folder, 'new/app/.git/HEAD')).toBe(true)
    if (round === 0) expect(isCanceled).toBe(true)
  }
})
