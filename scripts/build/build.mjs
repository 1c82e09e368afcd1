import { mkdir, rm } from 'node:fs/promises'
import { checkDeclarations } from '../check/declarations.mjs'
import { CommandError } from '../errors.mjs'
import { updateModules } from '../modules/generated.mjs'
import { inRoot, nextBin } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { withSetupLock } from '../setup/lock.mjs'
import { requireDiskSpace, requireWritableFolder } from '../setup/npm.mjs'
import { showProgress } from '../terminal.mjs'
import { writeActions } from './actions.mjs'
import {
  clearBuildStamp,
  isBuildCurrent,
  takeFingerprint,
  writeBuildStamp,
} from './build-stamp.mjs'
import { bundleServer, serverBundle } from './bundle-server.mjs'
import { writePrerendered } from './prerendered.mjs'

const log = inRoot('dist', 'build.log')

/** Builds the pages and the server, unless the existing build matches the sources. */
export async function build() {
  await updateModules()
  if (await isBuildCurrent(await takeFingerprint())) return
  requireDeclarations()
  await requireWritableFolder()
  await requireDiskSpace(300, 'the build')
  await withSetupLock(async (recordWorker) => {
    // Taken before the build, so that an edit made during it triggers another build.
    const fingerprint = await takeFingerprint()
    if (await isBuildCurrent(fingerprint)) return
    const contents = await fingerprint.contents()
    await mkdir(inRoot('dist'), { recursive: true })
    await clearBuildStamp()
    await rm(serverBundle, { force: true })
    await buildAll(recordWorker, deploymentId(contents))
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

async function buildAll(recordWorker, id) {
  const progress = showProgress('Building')
  try {
    await buildPages(progress.activity, recordWorker, id)
    progress.activity('the server')
    await writePrerendered(inRoot('.next'), inRoot('dist', 'prerendered.json'))
    await writeActions(inRoot(), inRoot('dist', 'actions.json'))
    await bundleServer()
  } catch (error) {
    progress.stop()
    throw error
  }
  progress.done()
}

async function buildPages(onLine, onStart, id) {
  const { code, lines } = await runLogged(process.execPath, [nextBin, 'build'], {
    log,
    onLine: (line) => line.trim() && onLine(line.trim()),
    onStart,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      DEPLOYMENT_ID: id,
    },
  })
  if (code === 0) return
  if (lines.some((line) => line.includes('ENOSPC'))) {
    throw Object.assign(new Error('next build'), { code: 'ENOSPC', path: inRoot('.next') })
  }
  throw new CommandError(`Build failed. Full output: ${log}`, lines.slice(-60))
}
