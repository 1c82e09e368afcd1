import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError } from '../errors.mjs'
import { inRoot, root } from '../paths.mjs'
import { cliOfRepository, isRemoteUrl, unpackedCli } from './download.mjs'

/**
 * The command that starts the Plinth CLI. The app does not depend on the CLI: it comes with the
 * template, from --base, from this machine, or from where plinth.json says.
 *
 * @returns {Promise<{ command: string[], env?: Record<string, string> }>}
 */
export async function findCli(args) {
  if (isTemplate()) return atPath(root)
  const given = flagValue(args, '--base') ?? process.env.PLINTH_SOURCE
  if (given) return atPath(resolve(given))
  const { version, from } = await readRecord()
  const isRemote = isRemoteUrl(from.repository)
  if (isRemote && isUpgrade(args)) return cliOfRepository(from.repository, flagValue(args, '--to'))
  const local = await findLocally(version)
  if (local) return atPath(local)
  if (isRemote) return cliOfRepository(from.repository, from.commit)
  const earlier = from.repository ?? from.tarball
  if (earlier) return atPath(resolve(root, earlier))
  if (from.package) return fromRegistry(packageFor(args, from.package))
  throw localCopyMissing(version, from)
}

/** The template contains its own CLI. */
function isTemplate() {
  return !existsSync(inRoot('plinth.json')) && existsSync(inRoot('cli', 'bin', 'plinth.mjs'))
}

function flagValue(args, flag) {
  const index = args.indexOf(flag)
  if (index !== -1) return args[index + 1]
  return args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1)
}

/** An upgrade runs in the target version of the CLI, every other command in the recorded version. */
function isUpgrade([command, ...rest]) {
  return command === 'upgrade' && !rest.includes('--undo')
}

async function readRecord() {
  const text = await readFile(inRoot('plinth.json'), 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text)
  throw new CommandError('No plinth.json found. Restore it from git.')
}

/** Ignored by git: where this machine has the template. */
async function findLocally(version) {
  const text = await readFile(inRoot('.plinth', 'template.json'), 'utf8').catch(() => '{}')
  const { repository, tarball, cli, ...local } = parse(text)
  const path = repository ?? (local.version === version ? (tarball ?? cli) : undefined)
  return path && existsSync(path) ? path : undefined
}

/** A damaged file is as good as none, because it is not in git. */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** A folder with the template's repository or the unpacked package, or a tarball. */
async function atPath(path) {
  if (path.endsWith('.tgz') && existsSync(path)) return node(await unpackedCli(path))
  const programs = [join(path, 'cli', 'bin', 'plinth.mjs'), join(path, 'bin', 'plinth.mjs')]
  const program = programs.find((file) => existsSync(file))
  if (program) return node(program)
  throw new CommandError(
    `Not found: ${path}, the template of this app. Pass its folder or tarball with --base.`,
  )
}

function node(program) {
  return { command: [process.execPath, program] }
}

function fromRegistry(name) {
  return { command: ['npm', 'exec', '--yes', `--package=${name}`, '--', 'plinth'] }
}

function packageFor(args, recorded) {
  if (!isUpgrade(args)) return recorded
  const to = flagValue(args, '--to') ?? ''
  return `create-plinth@${/^\d/.test(to) ? to : 'latest'}`
}

/** Not asked from the registry: anyone could have published that name. */
function localCopyMissing(version, { commit }) {
  const template = commit ? `${version} (commit ${commit.slice(0, 10)})` : version
  return new CommandError(
    `This app was created from a local copy of Plinth ${template}, which is not on this machine. Pass the folder or the tarball of it with --base.`,
  )
}
