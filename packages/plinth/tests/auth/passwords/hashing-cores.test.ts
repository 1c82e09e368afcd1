import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { canLowerPriority, cpuQuota, hashingCores } from '#auth/passwords/hashing-cores'

const folder = mkdtempSync(join(tmpdir(), 'plinth-cores-'))
afterAll(() => rmSync(folder, { recursive: true }))

function quotaOf(limit: string, path = '/app.slice') {
  mkdirSync(join(folder, path), { recursive: true })
  writeFileSync(join(folder, path, 'cpu.max'), `${limit}\n`)
  writeFileSync(join(folder, 'own'), `0::${path}\n`)
  return cpuQuota(folder, join(folder, 'own'))
}

test('reads the CPU limit of the container', () => {
  expect(quotaOf('150000 100000')).toBe(1.5)
  expect(quotaOf('50000 100000', '/')).toBe(0.5)
  expect(quotaOf('max 100000')).toBe(Number.POSITIVE_INFINITY)
  expect(cpuQuota(join(folder, 'none'), join(folder, 'none'))).toBe(Number.POSITIVE_INFINITY)
})

test('hashes on all cores where threads can give way, else on all but one', () => {
  const kept = canLowerPriority() ? 0 : 1
  expect(canLowerPriority()).toBe(process.platform === 'linux')
  expect(hashingCores(8, Number.POSITIVE_INFINITY)).toBe(8 - kept)
  expect(hashingCores(1, Number.POSITIVE_INFINITY)).toBe(1)
})

test('keeps one core of a limited container free', () => {
  expect(hashingCores(16, 4)).toBe(3)
  expect(hashingCores(2, 2)).toBe(1)
  expect(hashingCores(16, 0.5)).toBe(1)
  expect(hashingCores(1, 4)).toBe(1)
})
