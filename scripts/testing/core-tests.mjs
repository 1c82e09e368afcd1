import { existsSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError, errorMessage } from '../errors.mjs'
import { cacheFolder, inRoot } from '../paths.mjs'
import { findCli } from '../plinth/find-cli.mjs'
import { runLogged } from '../processes.mjs'
import { print } from '../terminal.mjs'
import { coreDifferences, migrationsFolder } from './core-record.mjs'

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
