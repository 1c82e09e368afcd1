import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { runOrFail } from '../programs.mjs'
import { describeModule, moduleFolder } from '../template/modules.mjs'
import { readTree } from '../tree.mjs'

const ignored = /(^|\/)(node_modules|\.git|\.next|\.DS_Store)(\/|$)/

export function isPath(name) {
  return /[\\/]|\.tgz$/.test(name)
}

/** Reads a module from a folder or a tarball, with the paths its files get in an app. */
export async function openModule(source, temporary) {
  const path = resolve(source)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new CommandError(`Not found: ${source}.`)
  const folder = found.isDirectory() ? path : await unpack(path, temporary)
  await refuseSymlinks(folder, source)
  const manifest = await readManifest(folder, source)
  const tree = await readTree(folder, (file) => !ignored.test(file))
  if (!tree.has('module.ts')) throw new CommandError(`${source} is not a module: no module.ts.`)
  const files = [...tree].map(([file, content]) => [
    `${moduleFolder(manifest.id)}/${file}`,
    content,
  ])
  return { ...manifest, from: path, files: new Map(files) }
}

async function unpack(tarball, temporary) {
  await mkdir(temporary, { recursive: true })
  await runOrFail('tar', ['-xzf', tarball, '-C', temporary])
  const [folder] = await readdir(temporary)
  return join(temporary, folder ?? '')
}

async function readManifest(folder, source) {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  if (text === undefined) throw new CommandError(`${source} is not a module: no package.json.`)
  const manifest = describeModule(parseJson(text, source))
  if (!/^[a-z][a-z0-9-]*$/.test(manifest.id ?? '')) {
    throw new CommandError(
      `${source}: invalid package.json. Set "plinth": { "id": "…" } with lowercase letters, digits and hyphens.`,
    )
  }
  const invalid = Object.keys(manifest.settings).find((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))
  if (invalid !== undefined) {
    throw new CommandError(
      `${source}: invalid setting name ${JSON.stringify(invalid)}. Use uppercase letters, digits and underscores.`,
    )
  }
  return manifest
}

function parseJson(text, source) {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(`${source}: package.json is not valid JSON.`)
  }
}

/** A symbolic link can point to private files outside the module. */
async function refuseSymlinks(folder, source) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const link = entries.find((entry) => entry.isSymbolicLink())
  if (link)
    throw new CommandError(
      `${source} contains a symbolic link (${link.name}). Modules must not contain symbolic links.`,
    )
}
