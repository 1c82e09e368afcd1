import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findCli } from '../commands/plinth.mjs'
import { runLogged } from '../processes.mjs'
import { CommandError, cacheFolder, errorMessage, inRoot, print } from '../terminal.mjs'

/** The major versions of Node that the template's CI tests core with. */
const testedNodes = [20, 22, 24]

const own = 'tests/core'
const fetched = '.plinth/core-tests'

/** The template has core's tests, and an app that has added them. */
export function hasCoreTests() {
  return existsSync(inRoot(own))
}

/** What of core differs from the template's, which has been tested. */
async function changedCore() {
  const text = await readFile(inRoot('tests', 'core.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return ['tests/core.json']
  const names = await readdir(inRoot(migrationsFolder)).catch(() => [])
  const differences = coreDifferences(JSON.parse(text), {
    read: (path) => (existsSync(inRoot(path)) ? readFileSync(inRoot(path)) : undefined),
    migrations: names.map((name) => `${migrationsFolder}/${name}`),
    lock: JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8')),
  })
  const major = Number(process.versions.node.split('.')[0])
  return testedNodes.includes(major) ? differences : [`Node ${major}`, ...differences]
}

/** Core's tests run too if the app has changed what they have tested. */
export async function planCoreTests() {
  if (hasCoreTests()) return {}
  const changed = await changedCore()
  if (changed.length === 0) return {}
  const list = changed.length > 5 ? [...changed.slice(0, 5), '…'] : changed
  const differs = `core differs from the template (${list.join(', ')})`
  try {
    const environment = { CORE_TESTS: await coreTestsFolder() }
    print(`Runs core's tests too: ${differs}.`)
    return { environment }
  } catch (error) {
    return { failure: `${differs}, and its tests could not be fetched: ${errorMessage(error)}` }
  }
}

/** The folder of core's tests. An app gets those of its version of the template. */
export async function coreTestsFolder() {
  if (hasCoreTests()) return own
  const version = JSON.stringify(JSON.parse(await readFile(inRoot('plinth.json'), 'utf8')))
  const stamp = inRoot(fetched, 'version.json')
  if ((await readFile(stamp, 'utf8').catch(() => '')) === version) return fetched
  await rm(inRoot(fetched), { recursive: true, force: true })
  const { PLINTH_SOURCE: source } = process.env
  const args = ['core-tests', '--into', inRoot(fetched), ...(source ? ['--base', source] : [])]
  const { command, env } = await findCli(args)
  const [program, ...programArgs] = command
  const log = join(cacheFolder, 'core-tests.log')
  const { code, lines } = await runLogged(program, [...programArgs, ...args], {
    log,
    env: { ...process.env, ...env },
  })
  if (code !== 0) throw new CommandError(lines.findLast((line) => line.trim() !== '') ?? log)
  await writeFile(stamp, version)
  return fetched
}

/**
 * A fingerprint of core, which the template's tests have tested: a digest of each of its files, and
 * of each of its packages with all that the package depends on. The CLI writes it into the app.
 *
 * @public Used by the CLI.
 * @param {Map<string, Buffer>} tree the files of the app
 * @param {string[]} packages the names of core's packages
 */
export function coreRecord(tree, packages, lock) {
  const files = [...tree].filter(([path]) => isCoreFile(path)).sort(byName)
  return {
    files: Object.fromEntries(files.map(([path, content]) => [path, digest(content)])),
    packages: Object.fromEntries(
      [...packages].sort().map((name) => [name, packageDigest(lock, name)]),
    ),
  }
}

/**
 * What differs now. Files that the app has added to core are used by files that it has changed,
 * except for migrations.
 *
 * @param {{ files: Record<string, string>, packages: Record<string, string> }} record
 * @param {{ read(path: string): Buffer | undefined, migrations: string[], lock: object }} app
 */
export function coreDifferences(record, { read, migrations, lock }) {
  const changed = Object.keys(record.files).filter((path) => {
    const content = read(path)
    return content === undefined || digest(content) !== record.files[path]
  })
  const added = migrations.filter((path) => !(path in record.files))
  const packages = Object.keys(record.packages).filter(
    (name) => packageDigest(lock, name) !== record.packages[name],
  )
  return [...changed, ...added, ...packages]
}

const migrationsFolder = 'src/core/db/migrations'

const core = [
  /^src\//,
  /^tests\/(e2e\/)?support\//,
  /^(next|playwright|vitest)\.config\.ts$/,
  /^tsconfig\.json$/,
]

/** What every app changes: modules, providers, its name and how it looks. */
const ownedByApp = [
  /^src\/modules\.ts$/,
  /^src\/app\/\((?!auth\))[^)]+\)\//,
  /^src\/core\/auth\/oauth\/providers\/(?!provider\.ts$)/,
  /^src\/core\/config\/product-name\.ts$/,
  /^src\/app\/(fonts|theme-colors)\b/,
  /^src\/app\/[^/]+\.(css|svg|png|ico)$/,
  /^src\/core\/ui\/brand\.tsx$/,
  /^src\/core\/mail\/messages\/message-layout\.tsx$/,
]

function isCoreFile(path) {
  const matches = (patterns) => patterns.some((pattern) => pattern.test(path))
  return matches(core) && !matches(ownedByApp)
}

/** Optional packages are left out: npm installs them by platform. */
function packageDigest({ packages }, name) {
  const found = new Set()
  const visit = (from, dependency) => {
    const path = resolve(packages, from, dependency)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = packages[path]
    for (const next of Object.keys(dependencies)) {
      if (!(next in optionalDependencies)) visit(path, next)
    }
  }
  visit('', name)
  const versions = [...found].map((path) => `${nameAt(path)} ${packages[path].version}`)
  return digest([...new Set(versions)].sort().join('\n'))
}

/** Node's lookup: the node_modules folder of the importing package, then those of its parents. */
function resolve(packages, from, name) {
  for (
    let parent = from;
    ;
    parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/')))
  ) {
    const path = `${parent ? `${parent}/` : ''}node_modules/${name}`
    if (packages[path]) return path
    if (parent === '') return undefined
  }
}

function nameAt(path) {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function digest(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

function byName([one], [other]) {
  return one < other ? -1 : 1
}
