import { readFile, rm, writeFile } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'

const file = inRoot('dist', 'build.json')

/**
 * Written last, removed first: a build that was cut short has none and is never served. Neither
 * is one whose pages were deleted since, or built anew by somebody else.
 */
export async function isBuilt(fingerprint) {
  const stamp = await read()
  if (!stamp || stamp.pages !== (await identifyPages())) return false
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
  await write({ quick, contents, pages: await identifyPages() })
}

async function identifyPages() {
  return readFile(inRoot('.next', 'BUILD_ID'), 'utf8').catch(() => 'none')
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
