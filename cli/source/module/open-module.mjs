import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { succeed } from '../programs.mjs'
import { Stop } from '../stop.mjs'
import { describe, folderOf } from '../template/modules.mjs'
import { readTree } from '../tree.mjs'

const notPacked = /(^|\/)(node_modules|\.git|\.next|\.DS_Store)(\/|$)/

export function isPath(said) {
  return /[\\/]|\.tgz$/.test(said)
}

/** A module in a folder or a tarball, as the files it would be in an app. */
export async function openModule(said, temporary) {
  const path = resolve(said)
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Stop(`${said} is not there.`)
  const folder = found.isDirectory() ? path : await unpack(path, temporary)
  await refuseLinks(folder, said)
  const manifest = await readManifest(folder, said)
  const tree = await readTree(folder, (file) => !notPacked.test(file))
  if (!tree.has('module.ts')) throw new Stop(`${said} has no module.ts: it is not a module.`)
  const files = [...tree].map(([file, content]) => [`${folderOf(manifest.id)}/${file}`, content])
  return { ...manifest, from: path, files: new Map(files) }
}

async function unpack(tarball, temporary) {
  await mkdir(temporary, { recursive: true })
  await succeed('tar', ['-xzf', tarball, '-C', temporary])
  const [folder] = await readdir(temporary)
  return join(temporary, folder ?? '')
}

async function readManifest(folder, said) {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  if (text === undefined) throw new Stop(`${said} has no package.json: it is not a module.`)
  const manifest = describe(parse(text, said))
  if (!/^[a-z][a-z0-9-]*$/.test(manifest.id ?? '')) {
    throw new Stop(
      `${said}: package.json needs "plinth": { "id": "…" } of small letters, digits and hyphens.`,
    )
  }
  const odd = Object.keys(manifest.settings).find((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))
  if (odd !== undefined) throw new Stop(`${said}: ${odd} is not the name of a setting.`)
  return manifest
}

function parse(text, said) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Stop(`${said}: package.json is not JSON.`)
  }
}

/** A link may lead out of the module, to what is nobody's business. */
async function refuseLinks(folder, said) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const link = entries.find((entry) => entry.isSymbolicLink())
  if (link) throw new Stop(`${said} holds a link (${link.name}), which a module must not.`)
}
