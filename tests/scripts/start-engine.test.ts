import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { packTree } from '../../cli/source/engine/tar.mjs'
import { run } from '../cli/support/run'
import { temporaryFolder } from '../cli/support/template'

let app: string

/** Writes a file of the app. */
function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(app, path)), { recursive: true })
  writeFileSync(join(app, path), content)
}

const program = (text: string) => `process.stdout.write(${JSON.stringify(text)})\n`

/** Makes a package with this engine the one that the app depends on. */
function provideEngine(text: string): void {
  const files = new Map([['scripts/run.mjs', Buffer.from(program(text))]])
  write('vendor/plinth-1.0.0.tgz', packTree(files))
  writeLock('package-lock.json', text)
}

function writeLock(path: string, integrity: string): void {
  write(path, JSON.stringify({ packages: { 'node_modules/plinth': { integrity } } }))
}

const start = () => run(process.execPath, ['scripts/start.mjs', 'list'], app)

beforeEach(() => {
  app = temporaryFolder()
  mkdirSync(join(app, 'scripts'))
  copyFileSync(resolve('scripts/start.mjs'), join(app, 'scripts/start.mjs'))
  const dependencies = { plinth: 'file:vendor/plinth-1.0.0.tgz' }
  write('package.json', JSON.stringify({ type: 'module', dependencies }))
  provideEngine('first')
})

test('runs the engine of the tarball before anything is installed', () => {
  expect(start()).toMatchObject({ code: 0, out: 'first', err: '' })
})

test('runs the new engine after the tarball and the lock file have changed', () => {
  start()
  writeLock('node_modules/.package-lock.json', 'first')
  provideEngine('second')
  expect(start()).toMatchObject({ code: 0, out: 'second', err: '' })
})

test('does not unpack an engine that npm has installed', () => {
  start()
  writeLock('node_modules/.package-lock.json', 'first')
  write('node_modules/plinth/scripts/run.mjs', program('installed'))
  expect(start().out).toBe('installed')
})

test('runs the sources of an ejected engine', () => {
  write('packages/plinth/scripts/run.mjs', program('ejected'))
  expect(start().out).toBe('ejected')
})

test('names a tarball that cannot be unpacked', () => {
  write('vendor/plinth-1.0.0.tgz', 'damaged')
  const { code, err } = start()
  expect(code).toBe(1)
  expect(err).toMatch(/\nCannot unpack vendor\/plinth-1\.0\.0\.tgz\.[^\n]*\n$/)
})
