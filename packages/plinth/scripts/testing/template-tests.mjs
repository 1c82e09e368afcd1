import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findCli } from '../commands/plinth.mjs'
import { findModules } from '../modules/find-modules.mjs'
import { cacheFolder, inRoot } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { CommandError, errorMessage, print } from '../terminal.mjs'
import { coreDifferences, isModuleChanged } from './fingerprint.mjs'

/** The major versions of Node that the template's CI tests core with. */
const testedNodes = [20, 22, 24]

const migrationsFolder = 'packages/plinth/migrations'
const own = 'packages/plinth/tests'
const fetched = '.plinth/core/tests'

/** The template has core's tests, and an app that has added them. */
export function hasCoreTests() {
  return existsSync(inRoot(own))
}

/**
 * The tests that an app runs beside its own: the engine's if it differs from the template's, which has
 * been tested, and those of the template's modules that differ, or of all of them if the engine does.
 */
export async function planTemplateTests() {
  if (hasCoreTests()) return {}
  const record = await readRecord()
  const changed = await changedCore(record)
  if (changed.length === 0) return leaveOutModules(await unchangedModules(record))
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

/** Written by the CLI. */
async function readRecord() {
  const text = await readFile(inRoot('tests', 'core.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

async function changedCore(record) {
  if (record === undefined) return ['tests/core.json']
  const names = await readdir(inRoot(migrationsFolder)).catch(() => [])
  const differences = coreDifferences(record, {
    read: (path) => (existsSync(inRoot(path)) ? readFileSync(inRoot(path)) : undefined),
    migrations: names.map((name) => `${migrationsFolder}/${name}`),
    lock: await readLock(),
  })
  const major = Number(process.versions.node.split('.')[0])
  return testedNodes.includes(major) ? differences : [`Node ${major}`, ...differences]
}

async function unchangedModules({ modules = {} }) {
  const lock = await readLock()
  const installed = await findModules()
  return installed.filter(
    (id) => modules[id] !== undefined && !isModuleChanged(modules[id], filesOfModule(id), lock),
  )
}

function filesOfModule(id) {
  const folder = `src/app/(${id})`
  return readdirSync(inRoot(folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => statSync(inRoot(path)).isFile())
    .map((path) => [path, readFileSync(inRoot(path))])
}

function leaveOutModules(ids) {
  if (ids.length === 0 || process.env.NIGHTLY === 'true') return {}
  print(`Leaves out the tests of modules that are as in the template: ${ids.join(', ')}.`)
  print('To run them: npm test -- src/app')
  return { environment: { UNCHANGED_MODULES: ids.join(',') } }
}

async function readLock() {
  return JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8'))
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
