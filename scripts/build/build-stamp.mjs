import { readFile, rm, writeFile } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'

const file = inRoot('dist', 'build.json')

/** Written last, removed first: a build that was cut short has none and is never served. */
export async function isBuilt(fingerprint) {
  const stamp = await read()
  if (!stamp) return false
  if (stamp.quick === fingerprint.quick) return true
  if (stamp.contents !== (await fingerprint.contents())) return false
  // Only the times differ. A folder that cannot be written asks again next time.
  await write({ ...stamp, quick: fingerprint.quick }).catch(() => {})
  return true
}

export async function forgetBuild() {
  await rm(file, { force: true })
}

export async function rememberBuild({ quick, contents }) {
  await write({ quick, contents })
}

async function read() {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function write(stamp) {
  await writeFile(file, `${JSON.stringify(stamp)}\n`)
}
