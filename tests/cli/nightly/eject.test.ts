import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '../support/app'
import { git, read, snapshot } from '../support/run'
import { copyTemplate, pack, packedTemplate, release, temporaryFolder } from '../support/template'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const { app, plinth } = createApp('landing')

const policy = 'packages/plinth/src/guard/policy.ts'

/** A version in which the engine and its tests differ. */
const newer = (() => {
  const source = copyTemplate(temporaryFolder())
  release(source, '9.0.0', {
    [policy]: `// Nine.\n${readFileSync(policy, 'utf8')}`,
    'packages/plinth/tests/new-in-nine.test.ts': '// Nine.\n',
  })
  return pack(source, temporaryFolder())
})()

beforeEach(() => {
  const first = git(app, 'rev-list', '--max-parents=0', 'HEAD').trim()
  git(app, 'reset', '--quiet', '--hard', first)
  git(app, 'clean', '--quiet', '-fd')
  writeFileSync(
    join(app, '.plinth/template.json'),
    JSON.stringify({ version: '0.1.0', tarball: packedTemplate() }),
  )
})

function commit(): void {
  git(app, 'add', '--all')
  git(app, 'commit', '--quiet', '-m', 'Mine')
}

function edit(path: string, change: (text: string) => string): void {
  writeFileSync(join(app, path), change(read(app, path)))
}

test('copies the sources and tests of the engine into the app, and back', () => {
  const before = snapshot(app)
  expect(plinth('eject')).toMatchObject({ code: 0, err: '' })
  expect(read(app, policy)).toBe(readFileSync(policy, 'utf8'))
  expect(existsSync(join(app, 'packages/plinth/tests/guard'))).toBe(true)
  expect(existsSync(join(app, 'vendor'))).toBe(false)
  const manifest = JSON.parse(read(app, 'package.json'))
  expect(manifest.dependencies.plinth).toBe('file:packages/plinth')
  expect(manifest.devDependencies['smtp-server']).toBeDefined()
  const lock = JSON.parse(read(app, 'package-lock.json'))
  expect(lock.packages['node_modules/plinth'].resolved).toBe('file:packages/plinth')
  expect(JSON.parse(read(app, 'plinth.json')).ejected).toBe(true)
  commit()
  expect(plinth('diff', '--json').json).toMatchObject({ changed: [] })
  expect(plinth('eject').err).toBe('The engine is already in packages/plinth.\n')

  expect(plinth('uneject')).toMatchObject({ code: 0, err: '' })
  expect(snapshot(app)).toEqual(before)
  expect(existsSync(join(app, 'packages'))).toBe(false)
})

test('keeps edits of the app, and of the engine in an upgrade', () => {
  edit('src/ui/brand.tsx', (text) => `${text}\n// mine\n`)
  edit('package.json', (text) => text.replace('"scripts": {', '"scripts": {\n    "mine": "mine",'))
  commit()
  expect(plinth('eject').code).toBe(0)
  expect(read(app, 'src/ui/brand.tsx')).toContain('// mine')
  expect(JSON.parse(read(app, 'package.json')).scripts.mine).toBe('mine')
  edit(policy, (text) => `${text}\n// mine\n`)
  commit()
  expect(plinth('upgrade', '--engine', '--to', newer).err).toContain(
    'has the sources of the engine',
  )

  expect(plinth('upgrade', '--to', newer)).toMatchObject({ code: 0, err: '' })
  expect(read(app, policy)).toMatch(/^\/\/ Nine\.\n[\s\S]*\n\/\/ mine\n$/)
  expect(read(app, 'packages/plinth/tests/new-in-nine.test.ts')).toBe('// Nine.\n')
  expect(JSON.parse(read(app, 'plinth.json'))).toMatchObject({ version: '9.0.0', ejected: true })
  expect(existsSync(join(app, 'vendor'))).toBe(false)
})

test('uneject refuses to lose edits of the engine, and names them', () => {
  expect(plinth('eject').code).toBe(0)
  edit(policy, (text) => `${text}\n// mine\n`)
  writeFileSync(join(app, 'packages/plinth/src/mine.ts'), 'export const mine = 1\n')
  commit()
  const before = snapshot(app)
  expect(plinth('uneject')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^ {2}packages\/plinth\/src\/guard\/policy\.ts\n {2}packages\/plinth\/src\/mine\.ts\n/,
    ),
  })
  expect(snapshot(app)).toEqual(before)
})

test('eject needs the files of the version that the engine has', () => {
  expect(plinth('upgrade', '--engine', '--to', newer).code).toBe(0)
  commit()
  const before = snapshot(app)
  expect(plinth('eject')).toMatchObject({
    code: 1,
    err: 'The engine is 9.0.0, but the files of this app are those of Plinth 0.1.0. Run npx plinth upgrade first.\n',
  })
  expect(snapshot(app)).toEqual(before)
  expect(readdirSync(join(app, 'vendor'))).toEqual(['plinth-9.0.0.tgz'])
})

test('both refuse uncommitted changes, and an app in the other state', () => {
  expect(plinth('uneject').err).toBe('The engine is not ejected.\n')
  edit('src/ui/brand.tsx', (text) => `${text}\n// mine\n`)
  const before = snapshot(app)
  expect(plinth('eject').err).toContain('There are uncommitted changes')
  expect(snapshot(app)).toEqual(before)
})
