import 'server-only'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Env, env } from '@/core/env'
import { singleton } from '@/core/singleton'

/** What signs and encrypts, newest first; the older one is still believed while it is rotated out. */
export function authSecrets(): readonly string[] {
  return singleton('auth.secrets', () => readSecrets(env()))
}

export function readSecrets({ AUTH_SECRET, AUTH_SECRET_PREVIOUS, DATA_DIR }: Env): string[] {
  if (!AUTH_SECRET) return [keptSecret(join(DATA_DIR, 'auth-secret'))]
  return AUTH_SECRET_PREVIOUS ? [AUTH_SECRET, AUTH_SECRET_PREVIOUS] : [AUTH_SECRET]
}

function keptSecret(path: string): string {
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(path, 'utf8').trim()
}
