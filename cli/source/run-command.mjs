import { parseArgs } from 'node:util'
import { CommandError } from './command-error.mjs'
import { commands } from './commands/commands.mjs'
import { helpFor, overview } from './commands/help.mjs'
import { didYouMean } from './did-you-mean.mjs'
import { handleSignals } from './interrupt.mjs'
import { createOutput } from './terminal/output.mjs'

/** Runs one command and sets the exit code of the process. */
export async function runCommand(name, args) {
  const json = args.includes('--json')
  const output = createOutput({ json })
  handleSignals(output)
  try {
    requireNodeVersion(process.versions.node)
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      return output.print(overview())
    }
    const command = commands[name]
    if (!command) {
      const hint = didYouMean(name, [...Object.keys(commands), 'doctor'])
      throw new CommandError(`Unknown command: ${name}.${hint}`, [overview(), ''])
    }
    const { values, positionals } = await parse(name, command, args)
    if (values.help) return output.print(await helpFor(name, positionals[0]))
    const { run } = await command.load()
    const result = await run({ flags: values, names: positionals, output })
    output.finish(result)
    process.exitCode = result?.exitCode ?? 0
  } catch (error) {
    process.exitCode = error?.exitCode ?? 1
    if (error instanceof CommandError) return output.fail(error)
    output.fail(new CommandError(errorMessage(error), json ? [] : [error?.stack ?? String(error)]))
  }
}

async function parse(name, command, args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...command.flags,
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    const [message] = error.message.split('. ')
    if (command.kinds) throw new CommandError(`${message}. Run npx plinth ${name} --help.`)
    throw new CommandError(message, [await helpFor(name), ''])
  }
}

function requireNodeVersion(version) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 9)) return
  throw new CommandError(
    `Node ${version} is too old. Install Node 20.9 or later: https://nodejs.org`,
  )
}

function errorMessage({ code, path, message }) {
  if (code === 'ENOSPC')
    return `Disk full: cannot write ${path ?? 'files'}. Free some space and try again.`
  if (code === 'EROFS') return `Read-only file system: cannot write ${path}.`
  if (code === 'EACCES' || code === 'EPERM') return `Permission denied: cannot write ${path}.`
  return message
}
