import { readFile, rm, writeFile } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'

const file = inRoot('dist', 'build.json')

/**
 * The stamp is written last and removed first, so an interrupted build has none and is never served.
 * A build whose pages were deleted or rebuilt by another command is not current either.
 */
export async function isBuildCurrent(fingerprint) {
  const stamp = await read()
  if (!stamp || stamp.pages !== (await identifyPages()) || hasOtherId(stamp)) return false
  if (stamp.quick === fingerprint.quick) return true
  if (stamp.contents !== (await fingerprint.contents())) return false
  // Only the modification times differ. In a read-only folder this check runs again next time.
  await write({ ...stamp, quick: fingerprint.quick }).catch(() => {})
  return true
}

export async function clearBuildStamp() {
  await rm(file, { force: true })
}

export async function writeBuildStamp({ quick, contents }) {
  await write({ quick, contents, pages: await identifyPages() })
}

/** DEPLOYMENT_ID is needed by the build only, so that a server may be started without it. */
function hasOtherId({ pages }) {
  const { DEPLOYMENT_ID } = process.env
  return Boolean(DEPLOYMENT_ID) && DEPLOYMENT_ID !== pages
}

/** The id of the deployment, or of a build by another command. */
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
