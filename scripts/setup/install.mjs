import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../errors.mjs'
import { cacheFolder, inRoot } from '../paths.mjs'
import { print, showProgress } from '../terminal.mjs'
import { findBrokenBindings } from './bindings.mjs'
import { withSetupLock } from './lock.mjs'
import { npmInstall, requireDiskSpace, requireWritableFolder } from './npm.mjs'

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

const file = join(cacheFolder, 'installed')

/** The stamp is written last and removed first, so an interrupted install has none. */
async function isInstalled() {
  const stamp = await readFile(file, 'utf8').catch(() => '')
  return stamp === (await fingerprint())
}

async function clearInstallStamp() {
  await rm(file, { force: true })
}

/** @public For tests of created apps, which link the packages of the template. */
export async function writeInstallStamp() {
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(file, await fingerprint())
}

async function fingerprint() {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) {
    const text = await readFile(inRoot(name)).catch(() => '')
    hash.update(`${name}\n`).update(text)
  }
  const platform = [process.platform, process.arch, process.versions.modules].join('-')
  return `${platform} ${hash.digest('hex')}`
}

/** An interrupted `plinth add`, `remove` or `upgrade` leaves a journal until it is rolled back. */
function refuseInterruptedCommand() {
  if (!existsSync(inRoot('.plinth', 'journal'))) return
  throw new CommandError(
    'A plinth command was interrupted. Run `npx plinth recover` to restore the files.',
  )
}
