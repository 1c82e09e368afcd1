import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { compileEngine } from '../build/engine.mjs'
import { cacheFolder, inRoot, root } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { CommandError, errorCodeMessage, print, showProgress } from '../terminal.mjs'
import { findBrokenBindings } from './bindings.mjs'
import { withSetupLock } from './lock.mjs'

/** Installs the packages and compiles packages/plinth, unless node_modules has them as they are now. */
export async function install() {
  refuseInterruptedCommand()
  if (!(await isInstalled())) await installPackages()
  await compileEngine()
}

async function installPackages() {
  await requireWritableFolder()
  const isFirstInstall = !existsSync(inRoot('node_modules', '.package-lock.json'))
  await requireDiskSpace(isFirstInstall ? 1_500 : 500, 'the installation of dependencies')
  await withSetupLock(async (recordWorker) => {
    if (await isInstalled()) return
    await clearInstallStamp()
    await forgetChangedEngine()
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

const engineManifest = 'packages/plinth/package.json'
const engineEntry = 'node_modules/plinth'

/**
 * npm reads the dependencies of a folder only when its version changes. Otherwise it would remove the packages that
 * packages/plinth needs and the lock file does not name.
 *
 * @public For a test.
 */
export async function forgetChangedEngine() {
  const manifest = await readJson(inRoot(engineManifest))
  const lock = await readJson(inRoot('package-lock.json'))
  const locked = lock?.packages?.[engineEntry]
  if (!manifest || !locked) return
  const kinds = ['dependencies', 'peerDependencies']
  if (kinds.every((kind) => isDeepStrictEqual(manifest[kind] ?? {}, locked[kind] ?? {}))) return
  delete lock.packages[engineEntry]
  await writeFile(inRoot('package-lock.json'), `${JSON.stringify(lock, null, 2)}\n`)
  await rm(inRoot(engineEntry), { recursive: true, force: true })
}

async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

const stampFile = join(cacheFolder, 'installed')

/** The stamp is written last and removed first, so an interrupted install has none. */
async function isInstalled() {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '')
  return stamp === (await fingerprint())
}

async function clearInstallStamp() {
  await rm(stampFile, { force: true })
}

/** @public For tests of created apps, which link the packages of the template. */
export async function writeInstallStamp() {
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(stampFile, await fingerprint())
}

async function fingerprint() {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json', engineManifest]) {
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

const log = join(cacheFolder, 'install.log')
const unreachable =
  /^(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR)$/

/** Runs `npm install`. Throws a CommandError with a one-line message if it fails. */
async function npmInstall(flags, { onActivity, onStart }) {
  const [command, ...commandArgs] = npmCommand()
  const { code, lines, error } = await runLogged(
    command,
    [...commandArgs, 'install', ...defaultFlags, ...flags],
    {
      log,
      onStart,
      onLine: activityReader(onActivity),
      env: { ...retrySettings, ...process.env },
      shell: process.platform === 'win32' && command === 'npm',
    },
  )
  if (error?.code === 'ENOENT') {
    throw new CommandError('npm not found. It is part of Node: reinstall Node.')
  }
  if (code !== 0) throw npmError(lines)
}

export function npmError(lines) {
  const errors = lines.filter((line) => /^npm (error|ERR!)/.test(line)).map(withoutPrefix)
  const code = fieldOf('code', errors)
  if (unreachable.test(code ?? '')) {
    return new CommandError(
      `No network: npm cannot reach its registry (${code}). Connect, or configure a proxy for npm, and try again.`,
    )
  }
  const message = errorCodeMessage(code, fieldOf('path', errors))
  if (message) return new CommandError(message)
  return new CommandError(`npm install failed. Full output: ${log}`, errors.slice(0, 30))
}

// The build needs the development dependencies whatever NODE_ENV is, and packages/plinth as a folder of its own.
const defaultFlags = [
  ...['--no-audit', '--no-fund', '--include=dev', '--install-links'],
  '--loglevel=http',
]

// With npm's default retries an unreachable registry takes more than a minute to fail.
const retrySettings = {
  npm_config_fetch_retries: '3',
  npm_config_fetch_retry_factor: '2',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_prefer_offline: 'true',
}

function npmCommand() {
  const path = process.env.npm_execpath
  if (path && basename(path) === 'npm-cli.js') return [process.execPath, path]
  return ['npm']
}

function activityReader(onActivity) {
  let count = 0
  return (line) => {
    const tarball = line.match(/\/([^/]+)\.tgz\b/)
    const packument = line.match(/^npm http (?:fetch|cache) .*?\/([^/\s]+) /)
    if (tarball) count += 1
    const name = tarball?.[1] ?? packument?.[1]
    if (name) onActivity(`${count} fetched, ${decodeURIComponent(name)}`)
  }
}

function withoutPrefix(line) {
  return line.replace(/^npm (error|ERR!) ?/, '')
}

function fieldOf(field, errors) {
  return errors.find((line) => line.startsWith(`${field} `))?.slice(field.length + 1)
}

/** Throws EROFS, EACCES or ENOSPC, which errorCodeMessage turns into a message. */
export async function requireWritableFolder() {
  const probe = inRoot(`.plinth-${process.pid}`)
  try {
    await writeFile(probe, 'write test')
    await rm(probe)
  } catch (error) {
    await rm(probe, { force: true }).catch(() => {})
    throw Object.assign(error, { path: root })
  }
}

export async function requireDiskSpace(megabytes, purpose) {
  const { bavail, bsize } = await statfs(root)
  const free = Math.floor((bavail * bsize) / 1_000_000)
  if (free >= megabytes) return
  throw new CommandError(
    `Not enough disk space: ${purpose} needs about ${megabytes} MB in ${root}, ${free} MB are free.`,
  )
}
