import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** PostgreSQL refuses to run as root; its packages bring a user that it can run as. */
export async function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([identify('-u', name), identify('-g', name)])
    if (uid && gid) return { uid, gid }
  }
  return undefined
}

async function identify(which, name) {
  try {
    return Number((await run('id', [which, name])).stdout)
  } catch {
    return undefined
  }
}
