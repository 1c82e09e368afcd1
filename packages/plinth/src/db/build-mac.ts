import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { authSecrets } from '#config/env'

type NamedFiles = { id: string; files: Readonly<Record<string, string>> }

/**
 * Only an instance that knows AUTH_SECRET can name the static files that others serve. Without
 * the MAC, a process that can write to the database could run scripts in every browser. The names
 * have the hashes of the contents, so these need no MAC of their own.
 */
export function macOf(build: NamedFiles, [secret = ''] = authSecrets()): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'plinth.static-files', 32))
  // The database does not keep the order.
  const files = Object.entries(build.files).sort(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha256', key)
    .update(JSON.stringify([build.id, files]))
    .digest()
}

/** Also with the previous secret, during a rotation. */
export function hasValidMac(build: NamedFiles, mac: Buffer | null): boolean {
  return authSecrets().some((secret) => {
    const expected = macOf(build, [secret])
    return mac?.length === expected.length && timingSafeEqual(mac, expected)
  })
}
