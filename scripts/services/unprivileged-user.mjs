import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** PostgreSQL refuses to run as root. Its packages create the user `postgres`. */
export async function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([readId('-u', name), readId('-g', name)])
    if (uid && gid) return { uid, gid }
  }
  return undefined
}

async function readId(flag, name) {
  try {
    return Number((await run('id', [flag, name])).stdout)
  } catch {
    return undefined
  }
}
