import { existsSync } from 'node:fs'
import { CommandError } from '../errors.mjs'
import { inRoot } from '../paths.mjs'
import { showProgress } from '../progress.mjs'
import { print } from '../terminal.mjs'
import { findBrokenBindings } from './bindings.mjs'
import { requireDiskSpace, requireWritableFolder } from './disk.mjs'
import { clearInstallStamp, isInstalled, writeInstallStamp } from './install-stamp.mjs'
import { refuseInterruptedCommand } from './interrupted-command.mjs'
import { withSetupLock } from './lock.mjs'
import { npmInstall } from './npm.mjs'

/** Installs the dependencies, unless node_modules matches package.json and the lock file. */
export async function install() {
  refuseInterruptedCommand()
  if (await isInstalled()) return
  await requireWritableFolder()
  const isFirstInstall = !existsSync(inRoot('node_modules', '.package-lock.json'))
  await requireDiskSpace(isFirstInstall ? 1_500 : 500, 'the installation of dependencies')
  await withSetupLock(async (recordWorker) => {
    if (await isInstalled()) return
    await clearInstallStamp()
    await runNpm('Installing dependencies', [], recordWorker)
    await installMissingBindings(recordWorker)
    await writeInstallStamp()
  })
}

async function installMissingBindings(recordWorker) {
  const platform = `${process.platform}-${process.arch}`
  const missing = await findBrokenBindings()
  if (missing.length === 0) return
  print(
    `The lock file has no ${platform} binary for ${namesOf(missing)}. Installing once without the lock file.`,
  )
  await runNpm('Installing without the lock file', ['--no-package-lock'], recordWorker)
  const broken = await findBrokenBindings()
  if (broken.length === 0) return
  const message = `npm found no ${platform} binary for ${namesOf(broken)}.`
  if (broken.some(({ tool }) => !tool)) throw new CommandError(message)
  print(message)
}

function namesOf(packages) {
  return packages.map(({ name }) => name).join(', ')
}

async function runNpm(title, flags, recordWorker) {
  const progress = showProgress(title)
  try {
    await npmInstall(flags, { onActivity: progress.activity, onStart: recordWorker })
  } catch (error) {
    progress.stop()
    throw error
  }
  progress.done()
}
