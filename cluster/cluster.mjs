import { parseArgs } from 'node:util'
import { root } from '../packages/plinth/scripts/paths.mjs'
import { shutDown } from '../packages/plinth/scripts/processes.mjs'
import { install } from '../packages/plinth/scripts/setup/install.mjs'
import {
  CommandError,
  exitWithError,
  printHelp,
  wantsHelp,
} from '../packages/plinth/scripts/terminal.mjs'

const help = {
  usage: 'npm run test:cluster -- [--short]',
  summary: 'Disturb four instances behind nginx and report what users notice (cluster/README.md).',
  options: { '--short': 'some of the events, without limits on the waits' },
}

process.chdir(root)
if (wantsHelp(process.argv.slice(2))) {
  printHelp(help)
  process.exit()
}
try {
  const options = parseOptions(process.argv.slice(2))
  await install()
  const { runCluster } = await import('./run-cluster.mjs')
  await runCluster(options)
} catch (error) {
  await exitWithError(error)
}
await shutDown()
process.exit(process.exitCode)

function parseOptions(args) {
  try {
    return parseArgs({ args, options: { short: { type: 'boolean', default: false } } }).values
  } catch (error) {
    throw new CommandError(error.message)
  }
}
