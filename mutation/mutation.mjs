import { existsSync } from 'node:fs'
import { inRoot, root } from '../packages/plinth/scripts/paths.mjs'
import { runAttached, shutDown } from '../packages/plinth/scripts/processes.mjs'
import { startServices } from '../packages/plinth/scripts/services/services.mjs'
import { install } from '../packages/plinth/scripts/setup/install.mjs'
import {
  CommandError,
  exitWithError,
  print,
  printHelp,
  wantsHelp,
} from '../packages/plinth/scripts/terminal.mjs'
import { keepTemporaryFilesInMemory } from '../packages/plinth/scripts/testing/runners.mjs'
import { areas } from './areas.mjs'
import { readResult, requiredScore, summaryLine, writeResults } from './results.mjs'

const help = {
  usage: 'npm run test:mutation -- [areas]',
  summary: 'Change the code in many small ways and list the changes that no test notices.',
  options: { areas: `${Object.keys(areas).join(', ')} (default: all)` },
}

const args = process.argv.slice(2)
process.chdir(root)
if (wantsHelp(args)) printHelp(help)
else await run(args).catch(exitWithError)
await shutDown()

async function run(names) {
  const selected = names.length > 0 ? names : Object.keys(areas)
  const unknown = selected.filter((name) => !(name in areas))
  if (unknown.length > 0) throw new CommandError(`Unknown area: ${unknown.join(', ')}.`)
  await install()
  await installStryker()
  await keepTemporaryFilesInMemory()
  const { environment } = await startServices(['redis'])
  for (const name of selected) {
    print(`\n── ${name}`)
    await mutate(name, environment)
  }
  await writeResults()
  const results = await Promise.all(selected.map(readResult))
  for (const result of results) print(summaryLine(result))
  if (results.some(({ score }) => score < requiredScore)) process.exitCode = 1
}

/** Its 200 packages are not installed for those who only run the other tests. */
async function installStryker() {
  if (existsSync(inRoot('mutation', 'node_modules', '@stryker-mutator', 'core'))) return
  const args = ['install', '--prefix', inRoot('mutation'), '--no-audit', '--no-fund']
  const { code } = await runAttached('npm', [...args, '--ignore-scripts'])
  if (code !== 0) throw new CommandError('Stryker was not installed.')
}

async function mutate(name, environment) {
  const stryker = inRoot(
    'mutation',
    'node_modules',
    '@stryker-mutator',
    'core',
    'bin',
    'stryker.js',
  )
  const { code } = await runAttached(
    process.execPath,
    [stryker, 'run', 'mutation/stryker.config.mjs'],
    { env: { ...process.env, ...environment, MUTATION_AREA: name } },
  )
  if (code !== 0) throw new CommandError(`Stryker failed in ${name}.`)
}
