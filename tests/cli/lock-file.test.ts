import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isComplete, mergeLocks, pruneLock } from '../../cli/source/package/lock-file.mjs'

const text = readFileSync('package-lock.json', 'utf8')
const lock = JSON.parse(text)
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

test('reproduces the lock file of the template byte for byte', () => {
  expect(`${JSON.stringify(pruneLock(manifest, lock), null, 2)}\n`).toBe(text)
})

test('removes an unused package together with its own dependencies', () => {
  const { 'markdown-it': removed, ...dependencies } = manifest.dependencies
  expect(removed).toBeDefined()
  const pruned = pruneLock({ ...manifest, dependencies }, lock)
  expect(pruned.packages['node_modules/markdown-it']).toBeUndefined()
  expect(pruned.packages['node_modules/linkify-it']).toBeUndefined()
  expect(pruned.packages['node_modules/next']).toEqual(lock.packages['node_modules/next'])
  expect(isComplete(pruned)).toBe(true)
})

test('restores removed packages by merging with the original', () => {
  const { 'markdown-it': _, ...dependencies } = manifest.dependencies
  const pruned = pruneLock({ ...manifest, dependencies }, lock)
  expect(isComplete({ ...pruned, packages: { ...pruned.packages, '': lock.packages[''] } })).toBe(
    false,
  )
  const restored = pruneLock(manifest, mergeLocks(pruned, lock))
  expect(`${JSON.stringify(restored, null, 2)}\n`).toBe(text)
})
