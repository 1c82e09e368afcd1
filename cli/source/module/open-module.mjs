import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { run, runOrFail } from '../programs.mjs'
import { describeModule, moduleFolder } from '../template/modules.mjs'
import { readTree } from '../tree.mjs'

/** npm packs these too, but they are never part of a module. */
const stray = /(^|\/)(\.env(\.local)?|[^/]+\.(tgz|tar\.gz|zip))$|^(\.next|\.plinth)\//

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
  const listed = found.isDirectory() ? await packedFiles(folder, source) : undefined
  const tree = await readTree(folder, (file) => listed?.includes(file) ?? true)
  const leftOut = [...tree.keys()].filter((file) => stray.test(file))
  for (const file of leftOut) tree.delete(file)
  if (!tree.has('module.ts')) throw new CommandError(`${source} is not a module: no module.ts.`)
  const files = [...tree].map(([file, content]) => [
    `${moduleFolder(manifest.id)}/${file}`,
    content,
  ])
  return { ...manifest, from: path, files: new Map(files), leftOut }
}

/** The files that `npm pack` would take, so that a folder and its tarball add the same files. */
async function packedFiles(folder, source) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { code, out } = await run('npm', args, { cwd: folder })
  const packed = code === 0 ? JSON.parse(out.toString()) : undefined
  if (packed) return packed[0].files.map(({ path }) => path)
  throw new CommandError(
    `${source}: npm pack fails there. Its package.json needs a name and a version.`,
  )
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
  if (!/^[\w ,-]{1,60}$/.test(manifest.protects ?? 'nothing')) {
    throw new CommandError(
      `${source}: invalid "protects" in package.json. Use a few words, such as "second factors".`,
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
  const link = entries.find((entry) => entry.isSymbolicLink() && !isInPackages(entry, folder))
  if (link)
    throw new CommandError(
      `${source} contains a symbolic link (${link.name}). Modules must not contain symbolic links.`,
    )
}

/** npm makes links in node_modules, which are not part of the module. */
function isInPackages(entry, folder) {
  const path = join(entry.parentPath ?? entry.path, entry.name)
  return relative(folder, path).split(sep).includes('node_modules')
}
