#!/usr/bin/env node
// Parsed by every Node that loads ES modules: no syntax here that Node 12 cannot parse.
import { nodeVersionError } from './node-version.mjs'

const [name, ...args] = process.argv.slice(2)
const error = nodeVersionError(process.version)

if (error) {
  process.stderr.write(`${error}\n`)
  process.exitCode = 1
} else {
  import('./commands/commands.mjs')
    .then(({ runCommand }) => runCommand(name, args))
    .catch((failure) => import('./terminal.mjs').then((errors) => errors.exitWithError(failure)))
}
