import { expect, test } from 'vitest'
import {
  coreDifferences,
  coreRecord,
  isModuleChanged,
  moduleRecord,
} from '../../packages/plinth/scripts/testing/fingerprint.mjs'

const files = {
  'packages/plinth/src/guard/policy.ts': 'policy',
  'src/register.ts': 'server',
  'src/app/(auth)/sign-in/page.tsx': 'page',
  'packages/plinth/migrations/0001_initial.sql': 'table',
  'tests/setup.ts': 'database',
  'vitest.config.ts': 'config',
  'src/modules.ts': 'modules',
  'src/app/(notes)/module.ts': 'module',
  'src/plinth.config.ts': 'name',
  'src/app/globals.css': 'colors',
  'tests/contract/openapi.db.test.ts': 'test',
  'package.json': 'manifest',
}

const lock = {
  packages: {
    'node_modules/next': { version: '16.0.0', dependencies: { postcss: '^8' } },
    'node_modules/next/node_modules/postcss': { version: '8.0.0' },
    'node_modules/postcss': { version: '9.0.0' },
    'node_modules/esbuild': { version: '1.0.0', optionalDependencies: { 'esbuild-linux': '1' } },
    'node_modules/esbuild-linux': { version: '1.0.0' },
  },
}

const record = coreRecord(toTree(files), ['next', 'esbuild'], lock)

function toTree(texts: Record<string, string>) {
  return new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
}

function differencesOf(changes: Record<string, string | undefined>, packages = {}) {
  const now = { ...files, ...changes } as Record<string, string | undefined>
  return coreDifferences(record, {
    read: (path: string) => (now[path] === undefined ? undefined : Buffer.from(now[path])),
    migrations: Object.keys(now).filter((path) => path.startsWith('packages/plinth/migrations/')),
    lock: { packages: { ...lock.packages, ...packages } },
  })
}

test('an unchanged app does not differ', () => {
  expect(differencesOf({})).toEqual([])
})

test.each(Object.keys(files).slice(0, 6))('a change of %s differs', (path) => {
  expect(differencesOf({ [path]: 'changed' })).toEqual([path])
  expect(differencesOf({ [path]: undefined })).toEqual([path])
})

test('an added migration of core differs', () => {
  const path = 'packages/plinth/migrations/0002_title.sql'
  expect(differencesOf({ [path]: 'column' })).toEqual([path])
})

test.each(Object.keys(files).slice(6))(
  'a change of %s, which apps make, is no difference',
  (path) => {
    expect(differencesOf({ [path]: 'changed' })).toEqual([])
  },
)

test('a module, a provider or a component that was added is no difference', () => {
  const added = ['src/app/(books)/module.ts', 'src/ui/chart.tsx']
  expect(differencesOf(Object.fromEntries(added.map((path) => [path, 'new'])))).toEqual([])
})

test('a package of core that was upgraded, or one that it depends on, differs', () => {
  expect(differencesOf({}, { 'node_modules/esbuild': { version: '1.0.1' } })).toEqual(['esbuild'])
  const nested = { 'node_modules/next/node_modules/postcss': { version: '8.0.1' } }
  expect(differencesOf({}, nested)).toEqual(['next'])
})

test('a package of a module, of the app or of a platform is no difference', () => {
  const packages = {
    'node_modules/markdown-it': { version: '15.0.0' },
    'node_modules/postcss': { version: '9.0.1' },
    'node_modules/esbuild-linux': undefined,
    'node_modules/esbuild-darwin': { version: '1.0.0' },
  }
  expect(differencesOf({}, packages)).toEqual([])
})

const moduleFiles: Record<string, string> = {
  'src/app/(notes)/module.ts': 'module',
  'src/app/(notes)/notes/page.tsx': 'page',
  'src/app/(notes)/tests/notes.spec.ts': 'test',
  'src/app/(notes)/README.md': 'readme',
}

const recorded = moduleRecord([...toTree(moduleFiles)], ['next'], lock)

function isNotesChanged(changes: Record<string, string | undefined>, packages = {}) {
  const now = Object.entries({ ...moduleFiles, ...changes })
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([path, text]): [string, Buffer] => [path, Buffer.from(text)])
  return isModuleChanged(recorded, now.reverse(), { packages: { ...lock.packages, ...packages } })
}

test('a module is unchanged in any order of its files, and if only a document changed', () => {
  expect(isNotesChanged({})).toBe(false)
  expect(isNotesChanged({ 'src/app/(notes)/README.md': 'changed' })).toBe(false)
})

test.each([
  ['edited', { 'src/app/(notes)/notes/page.tsx': 'changed' }],
  ['deleted', { 'src/app/(notes)/notes/page.tsx': undefined }],
  ['added', { 'src/app/(notes)/notes/new/page.tsx': 'page' }],
  ['edited among the tests', { 'src/app/(notes)/tests/notes.spec.ts': 'changed' }],
])('a module is changed if a file was %s', (_, changes) => {
  expect(isNotesChanged(changes)).toBe(true)
})

test('a module is changed if one of its packages was upgraded', () => {
  expect(isNotesChanged({}, { 'node_modules/next': { version: '16.0.1' } })).toBe(true)
})
