import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSecrets } from '@/core/auth/secret'
import { parseEnv } from '@/core/env'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-secret-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('on the embedded database it is made once and kept for this user alone', () => {
  const [secret] = readSecrets(parseEnv({ DATA_DIR: folder }))
  const file = join(folder, 'auth-secret')
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(readFileSync(file, 'utf8')).toBe(secret)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readSecrets(parseEnv({ DATA_DIR: folder }))).toEqual([secret])
})

test('what is set is taken, the newest first', () => {
  const AUTH_SECRET = 'n'.repeat(32)
  const AUTH_SECRET_PREVIOUS = 'o'.repeat(32)
  expect(readSecrets(parseEnv({ AUTH_SECRET }))).toEqual([AUTH_SECRET])
  expect(readSecrets(parseEnv({ AUTH_SECRET, AUTH_SECRET_PREVIOUS }))).toEqual([
    AUTH_SECRET,
    AUTH_SECRET_PREVIOUS,
  ])
})
