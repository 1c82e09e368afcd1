import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Env, env } from '@/core/config/env'
import { makePrivate } from '@/core/config/private-files'
import { singleton } from '@/core/config/singleton'

/** The secrets that sign and encrypt, newest first. The previous one stays valid during a rotation. */
export function authSecrets(): readonly string[] {
  return singleton('auth.secrets', () => readSecrets(env()))
}

export function readSecrets({ AUTH_SECRET, AUTH_SECRET_PREVIOUS, DATA_DIR }: Env): string[] {
  if (!AUTH_SECRET) return [storedSecret(join(DATA_DIR, 'auth-secret'))]
  return AUTH_SECRET_PREVIOUS ? [AUTH_SECRET, AUTH_SECRET_PREVIOUS] : [AUTH_SECRET]
}

function storedSecret(path: string): string {
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    makePrivate(path)
  }
  return readFileSync(path, 'utf8').trim()
}
