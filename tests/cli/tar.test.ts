import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packTree } from '../../cli/source/engine/tar.mjs'
import { temporaryFolder } from './support/template'

const long = `${'folder/'.repeat(20)}file.js`

const files: [string, Buffer][] = [
  ['package.json', Buffer.from('{"name":"engine","version":"1.0.0"}')],
  ['scripts/run.mjs', Buffer.from('#!/usr/bin/env node\n')],
  [long, Buffer.from('x'.repeat(1025))],
  ['empty.txt', Buffer.alloc(0)],
]

test('the same files give the same bytes in any order', () => {
  const packed = packTree(new Map(files))
  expect(packTree(new Map(files.toReversed()))).toEqual(packed)
  expect(packed.length % 512).toBeLessThan(100)
})

test('tar restores every file, and makes scripts executable', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'engine.tgz'), packTree(new Map(files)))
  execFileSync('tar', ['-xzf', 'engine.tgz'], { cwd: folder })
  for (const [path, content] of files) {
    expect(readFileSync(join(folder, 'package', path))).toEqual(content)
  }
  expect(statSync(join(folder, 'package/scripts/run.mjs')).mode & 0o777).toBe(0o755)
  expect(statSync(join(folder, 'package/package.json')).mode & 0o777).toBe(0o644)
})

test('npm reads the package', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'engine.tgz'), packTree(new Map(files)))
  const args = ['pack', '--dry-run', '--json', './engine.tgz']
  const [described] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }))
  expect(described).toMatchObject({ name: 'engine', version: '1.0.0', entryCount: files.length })
})

test.each([
  ['has a part of more than 100 characters', 'x'.repeat(101)],
  ['has more than 256 characters', `${'folder/'.repeat(40)}file.js`],
])('refuses a path that %s', (_, path) => {
  expect(() => packTree(new Map([[path, Buffer.alloc(0)]]))).toThrow('too long for a package')
})
