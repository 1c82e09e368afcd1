import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { CommandError } from '../errors.mjs'

/**
 * Writes the ids of all server actions for the server, and for each renamed one the id that it has
 * now. A folder of src/app lists its renamed actions in former-actions.json.
 *
 * @param {string} root
 * @param {string} file
 */
export async function writeActions(root, file) {
  const manifest = join(root, '.next', 'server', 'server-reference-manifest.json')
  const { node, encryptionKey } = JSON.parse(await readFile(manifest, 'utf8'))
  const ids = new Map(
    Object.entries(node).map(([id, action]) => [`${action.filename}#${action.exportedName}`, id]),
  )
  const former = {}
  for (const { list, name, present } of await readFormerNames(root)) {
    if (ids.has(name)) throw new CommandError(`${list}: ${name} exists. Remove it from the list.`)
    const id = ids.get(present)
    if (id === undefined) throw new CommandError(`${list}: there is no action ${present}.`)
    former[hashOf(name, encryptionKey)] = id
  }
  await writeFile(file, `${JSON.stringify({ known: [...ids.values()], former })}\n`)
}

async function readFormerNames(root) {
  const folders = await readdir(join(root, 'src', 'app'))
  const lists = await Promise.all(folders.map((name) => readList(root, `src/app/${name}`)))
  return lists.flat()
}

async function readList(root, folder) {
  const list = `${folder}/former-actions.json`
  const text = await readFile(join(root, list), 'utf8').catch(() => '{}')
  return Object.entries(parse(list, text)).map(([name, present]) => ({
    list,
    name: posix.join(folder, name),
    present: posix.join(folder, present),
  }))
}

function parse(list, text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(`${list} is not valid JSON.`)
  }
}

/** The id of an action, without its first byte, which tells about its arguments. */
export function hashOf(name, encryptionKey) {
  return createHash('sha1')
    .update(encryptionKey + name.replace('#', ':'))
    .digest('hex')
}
