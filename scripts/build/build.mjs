import { mkdir, rm } from 'node:fs/promises'
import { Stop } from '../failure.mjs'
import { updateModules } from '../modules/generated.mjs'
import { inRoot, nextBin } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { showProgress } from '../progress.mjs'
import { requireRoom, requireWritableFolder } from '../setup/folder.mjs'
import { withSetUpLock } from '../setup/lock.mjs'
import { forgetBuild, isBuilt, rememberBuild } from './build-stamp.mjs'
import { bundleServer, serverBundle } from './bundle-server.mjs'
import { takeFingerprint } from './fingerprint.mjs'
import { writePrerendered } from './prerendered.mjs'

const log = inRoot('dist', 'build.log')

/** Builds the pages and the server, unless what is built was made from these very sources. */
export async function build() {
  await updateModules()
  if (await isBuilt(await takeFingerprint())) return
  await requireWritableFolder()
  await requireRoom(300, 'building')
  await withSetUpLock(async (noteWorker) => {
    // Taken before the build, so that an edit made during it is built next time.
    const fingerprint = await takeFingerprint()
    if (await isBuilt(fingerprint)) return
    const contents = await fingerprint.contents()
    await mkdir(inRoot('dist'), { recursive: true })
    await forgetBuild()
    await rm(serverBundle, { force: true })
    await make(noteWorker)
    await rememberBuild({ quick: fingerprint.quick, contents })
  })
}

async function make(noteWorker) {
  const progress = showProgress('Building')
  try {
    await buildPages(progress.activity, noteWorker)
    progress.activity('the server')
    await writePrerendered(inRoot('.next'), inRoot('dist', 'prerendered.json'))
    await bundleServer()
  } catch (error) {
    progress.stop()
    throw error
  }
  progress.done()
}

async function buildPages(onLine, onStart) {
  const { code, lines } = await runLogged(process.execPath, [nextBin, 'build'], {
    log,
    onLine: (line) => line.trim() && onLine(line.trim()),
    onStart,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  if (code === 0) return
  if (lines.some((line) => line.includes('ENOSPC'))) {
    throw Object.assign(new Error('next build'), { code: 'ENOSPC', path: inRoot('.next') })
  }
  throw new Stop(`The build failed. All of its output: ${log}`, lines.slice(-60))
}
