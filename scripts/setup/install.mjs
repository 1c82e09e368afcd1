import { existsSync } from 'node:fs'
import { Stop } from '../failure.mjs'
import { inRoot } from '../paths.mjs'
import { showProgress } from '../progress.mjs'
import { say } from '../terminal.mjs'
import { findBrokenBindings } from './bindings.mjs'
import { requireRoom, requireWritableFolder } from './folder.mjs'
import { forgetInstall, isInstalled, rememberInstall } from './install-stamp.mjs'
import { refuseInterrupted } from './interrupted.mjs'
import { withSetUpLock } from './lock.mjs'
import { npmInstall } from './npm.mjs'

/** Installs the dependencies, unless those installed are the ones that package.json asks for. */
export async function install() {
  refuseInterrupted()
  if (await isInstalled()) return
  await requireWritableFolder()
  const first = !existsSync(inRoot('node_modules', '.package-lock.json'))
  await requireRoom(first ? 1_500 : 500, 'installing the dependencies')
  await withSetUpLock(async (noteWorker) => {
    if (await isInstalled()) return
    await forgetInstall()
    await runNpm('Installing dependencies', [], noteWorker)
    await completeBindings(noteWorker)
    await rememberInstall()
  })
}

async function completeBindings(noteWorker) {
  const platform = `${process.platform}-${process.arch}`
  const missing = await findBrokenBindings()
  if (missing.length === 0) return
  say(
    `The lock file has no ${platform} binary for ${namesOf(missing)}: installing without it, once.`,
  )
  await runNpm('Installing without the lock file', ['--no-package-lock'], noteWorker)
  const broken = await findBrokenBindings()
  if (broken.length === 0) return
  const line = `npm installed no binary that runs on ${platform} for ${namesOf(broken)}.`
  if (broken.some(({ tool }) => !tool)) throw new Stop(line)
  say(line)
}

function namesOf(packages) {
  return packages.map(({ name }) => name).join(', ')
}

async function runNpm(title, flags, noteWorker) {
  const progress = showProgress(title)
  try {
    await npmInstall(flags, { onActivity: progress.activity, onStart: noteWorker })
  } catch (error) {
    progress.stop()
    throw error
  }
  progress.done()
}
