import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { checkDeclarations } from '../check/declarations.mjs'
import { updateModules } from '../modules/generated.mjs'
import { inRoot, nextBin, root } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { requireDiskSpace, requireWritableFolder } from '../setup/install.mjs'
import { withSetupLock } from '../setup/lock.mjs'
import { CommandError, showProgress } from '../terminal.mjs'
import { engineSources } from './engine.mjs'
import { fingerprintOf } from './fingerprint.mjs'
import { writeActions, writePrerendered } from './manifests.mjs'

const log = inRoot('dist', 'build.log')

/**
 * Builds the pages and the server, unless the existing build matches the sources. With `typesChecked`
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
    await mkdir(inRoot('dist'), { recursive: true })
    await clearBuildStamp()
    await rm(serverBundle, { force: true })
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

const stampFile = inRoot('dist', 'build.json')

/**
 * The stamp is written last and removed first, so an interrupted build has none and is never served.
 * A build whose pages were deleted or rebuilt by another command is not current either.
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

async function clearBuildStamp() {
  await rm(stampFile, { force: true })
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
  'scripts/build',
  'next.config.ts',
  'postcss.config.mjs',
  'package.json',
  'package-lock.json',
]

const noActions = fileURLToPath(new URL('./no-actions.cjs', import.meta.url))

const replaced = {
  // Throws outside a React bundler. It has no exports.
  'server-only': noActions,
  'next/cache': noActions,
  'next/headers': noActions,
  'next/navigation': noActions,
}

export const bundleOptions = {
  absWorkingDir: root,
  tsconfig: 'tsconfig.json',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.9',
  packages: 'external',
  alias: replaced,
  logLevel: 'silent',
}

const programs = ['admin-create', 'backup', 'doctor', 'limits', 'migrate', 'recovery', 'restore']

/**
 * Next, React and the components of mail read NODE_ENV when they are loaded, so it is set before anything
 * is imported. They are built for production, and fail with any other value.
 */
const serverEntry = `process.env.NODE_ENV = 'production'
await import('./server-process.js')
`

/**
 * Bundles src/server.ts and the other programs to dist. Packages stay in node_modules; shared and
 * dynamically imported code goes to dist/chunks.
 */
async function bundleServer() {
  const { build, stop } = await import('esbuild')
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries([
      ['server-process', 'src/server.ts'],
      ...programs.map((name) => [name, `src/${name}.ts`]),
    ]),
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    sourcemap: true,
    write: false,
  }).catch(async (error) => {
    throw new CommandError('Bundling the server failed.', await formatErrors(error))
  })
  // Otherwise the esbuild process stays alive next to the server.
  await stop()
  await rm(inRoot('dist', 'chunks'), { recursive: true, force: true })
  await mkdir(inRoot('dist', 'chunks'), { recursive: true })
  for (const { path, contents } of outputFiles) {
    await writeFile(`${path}.part`, contents)
    await rename(`${path}.part`, path)
  }
  await writeFile(serverBundle, serverEntry)
}

async function formatErrors({ errors = [], message }) {
  if (errors.length === 0) return [message]
  const { formatMessages } = await import('esbuild')
  return formatMessages(errors, { kind: 'error', color: process.stderr.isTTY === true })
}

export const serverBundle = inRoot('dist', 'server.js')
export const adminBundle = inRoot('dist', 'admin-create.js')
export const backupBundle = inRoot('dist', 'backup.js')
export const doctorBundle = inRoot('dist', 'doctor.js')
export const limitsBundle = inRoot('dist', 'limits.js')
export const migrateBundle = inRoot('dist', 'migrate.js')
export const recoveryBundle = inRoot('dist', 'recovery.js')
export const restoreBundle = inRoot('dist', 'restore.js')
