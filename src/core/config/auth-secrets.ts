import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Env, env } from '@/core/config/env'
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

/** Takes a file, or a folder with its contents, away from other users of this machine. */
export function makePrivate(path: string): void {
  let stats: ReturnType<typeof lstatSync>
  try {
    stats = lstatSync(path)
    // Otherwise it would change a file elsewhere.
    if (stats.isSymbolicLink()) return
    const mode = stats.isDirectory() ? 0o700 : 0o600
    if ((stats.mode & 0o777) !== mode) chmodSync(path, mode)
  } catch {
    // Missing, or not ours to change; the doctor reports what stays readable.
    return
  }
  if (!stats.isDirectory()) return
  for (const name of readdirSync(path)) makePrivate(join(path, name))
}
