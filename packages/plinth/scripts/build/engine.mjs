import { existsSync } from 'node:fs'
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cacheFolder, inRoot } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { withSetupLock } from '../setup/lock.mjs'
import { CommandError, showProgress } from '../terminal.mjs'
import { fingerprintOf } from './fingerprint.mjs'

const source = inRoot('packages', 'plinth')
const installed = inRoot('node_modules', 'plinth')
const stampFile = join(installed, 'compiled.json')
const parts = [
  'package.json',
  'README.md',
  'api.md',
  'dist',
  'docs',
  'migrations',
  'scripts',
  'src',
]
const log = join(cacheFolder, 'engine.log')

/**
 * Compiles packages/plinth and copies it to node_modules, unless that copy is current. It is a real folder: Next
 * bundles a package that is a link, and then the process has two copies.
 */
export async function compileEngine() {
  if (!existsSync(join(source, 'src')) || (await isCurrent(await fingerprintOf(copied)))) return
  await withSetupLock(async (recordWorker) => {
    const fingerprint = await fingerprintOf(copied)
    if (await isCurrent(fingerprint)) return
    // Without `install-links` npm makes it a link.
    if (await isLink()) await rm(installed)
    await rm(stampFile, { force: true })
    const progress = showProgress('Compiling packages/plinth')
    try {
      await compile(recordWorker)
      await copyChanged()
    } catch (error) {
      progress.stop()
      throw error
    }
    progress.done()
    await writeStamp({ quick: fingerprint.quick, contents: await fingerprint.contents() })
  })
}

/** The sources that run in the built app. */
export const engineSources = [
  ...['package.json', 'tsconfig.build.json', 'src', 'migrations'].map(
    (name) => `packages/plinth/${name}`,
  ),
  'tsconfig.json',
]

/** The commands of development are copied too. */
const copied = [...engineSources, 'packages/plinth/scripts']

async function isCurrent({ quick, contents }) {
  if (!existsSync(join(source, 'dist')) || (await isLink())) return false
  const stamp = JSON.parse(await readFile(stampFile, 'utf8').catch(() => '{}'))
  if (stamp.quick === quick) return true
  if (stamp.contents === undefined || stamp.contents !== (await contents())) return false
  // Only the modification times differ. In a read-only folder this check runs again next time.
  await writeStamp({ ...stamp, quick }).catch(() => {})
  return true
}

async function isLink() {
  const entry = await lstat(installed).catch(() => undefined)
  return entry?.isSymbolicLink() ?? false
}

async function writeStamp(stamp) {
  await writeFile(`${stampFile}.part`, JSON.stringify(stamp))
  await rename(`${stampFile}.part`, stampFile)
}

/** `npm run check` checks the types. */
async function compile(onStart) {
  await rm(join(source, 'dist'), { recursive: true, force: true })
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc')
  const args = [tsc, '-p', join(source, 'tsconfig.build.json'), '--noCheck']
  const { code, lines } = await runLogged(process.execPath, args, { log, onStart })
  if (code !== 0) throw new CommandError(`Compiling packages/plinth failed. Output: ${log}`, lines)
}

/** A running server keeps the files that it has open: each is replaced as a whole, and only if it differs. */
async function copyChanged() {
  const files = (await Promise.all(parts.map((part) => filesIn(source, part)))).flat()
  for (const file of files) {
    const [from, to] = [join(source, file), join(installed, file)]
    const content = await readFile(from)
    if (content.equals(await readFile(to).catch(() => Buffer.alloc(0)))) continue
    await mkdir(dirname(to), { recursive: true })
    await cp(from, `${to}.part`)
    await rename(`${to}.part`, to)
  }
  const obsolete = (await filesIn(installed, '.')).filter((file) => !files.includes(file))
  for (const file of obsolete) await rm(join(installed, file))
}

async function filesIn(folder, path) {
  const entry = await stat(join(folder, path)).catch(() => undefined)
  if (!entry) return []
  if (entry.isFile()) return [path]
  const entries = await readdir(join(folder, path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
}
