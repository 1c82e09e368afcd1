import { parseArgs } from 'node:util'
import { commands } from './commands/commands.mjs'
import { helpFor, overview } from './commands/help.mjs'
import { Stop } from './stop.mjs'
import { createOutput } from './terminal/output.mjs'

/** Runs one command; its exit code is the process's. */
export async function launch(name, args) {
  const json = args.includes('--json')
  const output = createOutput({ json })
  try {
    const complaint = complaintAbout(process.versions.node)
    if (complaint) throw new Stop(complaint)
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      return output.say(overview())
    }
    const command = commands[name]
    if (!command) throw new Stop(`There is no command ${name}.`, [overview(), ''])
    const { values, positionals } = parse(name, command, args)
    if (values.help) return output.say(helpFor(name))
    const { run } = await command.load()
    const result = await run({ flags: values, names: positionals, output })
    output.finish(result)
    process.exitCode = result?.exitCode ?? 0
  } catch (error) {
    process.exitCode = 1
    if (error instanceof Stop) return output.stop(error)
    output.stop(new Stop(lineFor(error), json ? [] : [error?.stack ?? String(error)]))
  }
}

function parse(name, command, args) {
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
    throw new Stop(error.message.split('. ')[0], [helpFor(name), ''])
  }
}

function complaintAbout(version) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 9)) return undefined
  return `Plinth needs Node 20.9 or later; this is ${version}.`
}

function lineFor({ code, path, message }) {
  if (code === 'ENOSPC') return `No room on disk for ${path ?? 'what is to be written'}.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `${path} cannot be written.`
  return message
}
