import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseEnv, readSecrets } from '#config/env'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-secret-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('generates one secret for the embedded database, in a file that only its owner can read', () => {
  const [secret] = readSecrets(parseEnv({ DATA_DIR: folder }))
  const file = join(folder, 'auth-secret')
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(readFileSync(file, 'utf8')).toBe(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readSecrets(parseEnv({ DATA_DIR: folder }))).toEqual([secret])
})

test('returns the configured secrets, the current one first', () => {
  const AUTH_SECRET = 'n'.repeat(32)
  const AUTH_SECRET_PREVIOUS = 'o'.repeat(32)
  expect(readSecrets(parseEnv({ AUTH_SECRET }))).toEqual([AUTH_SECRET])
  expect(readSecrets(parseEnv({ AUTH_SECRET, AUTH_SECRET_PREVIOUS }))).toEqual([
    AUTH_SECRET,
    AUTH_SECRET_PREVIOUS,
  ])
})
