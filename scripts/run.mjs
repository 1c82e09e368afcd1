// Parsed by every Node that loads ES modules: no syntax here that Node 12 cannot parse.
import { nodeVersionError } from './node-version.mjs'

const commands = [
  'admin-create',
  'build',
  'check',
  'dev',
  'doctor',
  'fix',
  'migrate',
  'modules',
  'plinth',
  'start',
  'test',
]

const [command, ...args] = process.argv.slice(2)
const error = nodeVersionError(process.version) || unknownCommandError(command)

if (error) {
  process.stderr.write(`${error}\n`)
  process.exitCode = 1
} else {
  import(`./commands/${command}.mjs`)
    .then((loaded) => import('./help.mjs').then((help) => runOrHelp(loaded, help)))
    .catch((failure) => import('./errors.mjs').then((errors) => errors.exitWithError(failure)))
}

/** The CLI has its own help. */
function runOrHelp(loaded, { wantsHelp, printHelp }) {
  return loaded.help && wantsHelp(args) ? printHelp(loaded.help) : loaded.run(args)
}

function unknownCommandError(name) {
  if (commands.includes(name)) return undefined
  return `${name ? `Unknown command: ${name}` : 'No command given'}. Commands: ${commands.join(', ')}.`
}
