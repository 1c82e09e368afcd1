import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isComplete, joinLocks, lockFor } from '../../cli/source/package/lock-file.mjs'

const text = readFileSync('package-lock.json', 'utf8')
const lock = JSON.parse(text)
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

test('for the template itself it is what npm wrote, to the byte', () => {
  expect(`${JSON.stringify(lockFor(manifest, lock), null, 2)}\n`).toBe(text)
})

test('a package that nobody asks for any more leaves with all that it alone needed', () => {
  const { 'markdown-it': gone, ...dependencies } = manifest.dependencies
  expect(gone).toBeDefined()
  const cut = lockFor({ ...manifest, dependencies }, lock)
  expect(cut.packages['node_modules/markdown-it']).toBeUndefined()
  expect(cut.packages['node_modules/linkify-it']).toBeUndefined()
  expect(cut.packages['node_modules/next']).toEqual(lock.packages['node_modules/next'])
  expect(isComplete(cut)).toBe(true)
})

test('with what was cut it is whole again', () => {
  const { 'markdown-it': _, ...dependencies } = manifest.dependencies
  const cut = lockFor({ ...manifest, dependencies }, lock)
  expect(isComplete({ ...cut, packages: { ...cut.packages, '': lock.packages[''] } })).toBe(false)
  const whole = lockFor(manifest, joinLocks(cut, lock))
  expect(`${JSON.stringify(whole, null, 2)}\n`).toBe(text)
})
