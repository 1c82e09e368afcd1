import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkDeclarations } from '../check/declarations.mjs'
import { updateModules } from '../modules/generated.mjs'
import { cacheFolder, inRoot, nextBin } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { requireDiskSpace, requireWritableFolder } from '../setup/install.mjs'
import { withSetupLock } from '../setup/lock.mjs'
import { CommandError, showProgress } from '../terminal.mjs'
import { engineSources } from './engine.mjs'
import { fingerprintOf } from './fingerprint.mjs'
import { writeActions, writePrerendered } from './manifests.mjs'

const log = join(cacheFolder, 'build.log')

/** For the server, beside the files of Next, which deletes them when it builds. */
const folder = inRoot('.next', 'plinth')
const stampFile = join(folder, 'build.json')

/**
 * Builds the app, unless the existing build matches the sources. With `typesChecked`
 * Next does not check the types again.
 */
export async function build({ typesChecked = false } = {}) {
  await updateModules()
  if (await isBuildCurrent(await fingerprintOf(sources))) return
  requireDeclarations()
  await requireWritableFolder()
  await requireDiskSpace(300, 'the build')
  await withSetupLock(async (recordWorker) => {
    // Taken before the build, so that an edit made during it triggers another build.
    const fingerprint = await fingerprintOf(sources)
    if (await isBuildCurrent(fingerprint)) return
    const contents = await fingerprint.contents()
    await rm(folder, { recursive: true, force: true })
    await buildAll(recordWorker, { id: deploymentId(contents), typesChecked })
    await writeBuildStamp({ quick: fingerprint.quick, contents })
  })
}

function requireDeclarations() {
  const errors = checkDeclarations()
  const last = errors.pop()
  if (last !== undefined) throw new CommandError(last, errors)
}

/** The same for every build of the same sources, so that instances may be built separately. */
function deploymentId(contents) {
  const id = process.env.DEPLOYMENT_ID || contents.slice(0, 20)
  if (/^[\w-]{1,64}$/.test(id)) return id
  throw new CommandError('DEPLOYMENT_ID must be at most 64 letters, digits, - and _.')
}

async function buildAll(recordWorker, options) {
  const progress = showProgress('Building')
  try {
    await buildPages(progress.activity, recordWorker, options)
    await mkdir(folder, { recursive: true })
    await writePrerendered(inRoot('.next'), join(folder, 'prerendered.json'))
    // Last: without it the server does not start.
    await writeActions(inRoot(), join(folder, 'actions.json'))
  } catch (error) {
    progress.stop()
    throw error
  }
  progress.done()
}

async function buildPages(onLine, onStart, { id, typesChecked }) {
  const { code, lines } = await runLogged(process.execPath, [nextBin, 'build'], {
    log,
    onLine: (line) => line.trim() && onLine(line.trim()),
    onStart,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      DEPLOYMENT_ID: id,
      TYPES_CHECKED: String(typesChecked),
    },
  })
  if (code === 0) return
  if (lines.some((line) => line.includes('ENOSPC'))) {
    throw Object.assign(new Error('next build'), { code: 'ENOSPC', path: inRoot('.next') })
  }
  throw new CommandError(`Build failed. Full output: ${log}`, lines.slice(-60))
}

/**
 * The stamp is written last and removed first, so an interrupted build has none. A build whose pages were deleted or rebuilt by another command is not current either.
 */
async function isBuildCurrent(fingerprint) {
  const stamp = await readStamp()
  if (!stamp || stamp.pages !== (await identifyPages()) || hasOtherId(stamp)) return false
  if (stamp.quick === fingerprint.quick) return true
  if (stamp.contents !== (await fingerprint.contents())) return false
  // Only the modification times differ. In a read-only folder this check runs again next time.
  await writeStamp({ ...stamp, quick: fingerprint.quick }).catch(() => {})
  return true
}

async function writeBuildStamp({ quick, contents }) {
  await writeStamp({ quick, contents, pages: await identifyPages() })
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

async function readStamp() {
  try {
    return JSON.parse(await readFile(stampFile, 'utf8'))
  } catch {
    return undefined
  }
}

async function writeStamp(stamp) {
  await writeFile(stampFile, `${JSON.stringify(stamp)}\n`)
}

const sources = [
  'src',
  ...engineSources,
  'public',
  // Without the sources of the engine, the lock file names its version.
  'packages/plinth/scripts/build',
  'next.config.ts',
  'postcss.config.mjs',
  'package.json',
  'package-lock.json',
]
