import { readAppFiles } from '../app/edits.mjs'
import { CommandError } from '../command-error.mjs'
import { moduleFolder } from '../template/modules.mjs'
import { has } from './installed-parts.mjs'

/** Which of the planned files are new. An existing file with another content stops the command. */
export async function compareFiles(folder, { files, edited = {}, module }, format) {
  const tree = await format(buffersOf({ ...files, ...edited }))
  const before = await readAppFiles(folder, tree.keys())
  const paths = Object.keys(files)
  const different = paths.find(
    (path) => before.has(path) && !before.get(path).equals(tree.get(path)),
  )
  if (different !== undefined) {
    throw new CommandError(`${different} already exists and is different. Nothing was written.`)
  }
  const isNew = (path) => !before.has(path)
  if (module?.isNew && paths.some(isNew) && has({ folder }, moduleFolder(module.id))) {
    throw new CommandError(`${moduleFolder(module.id)} already exists. Nothing was written.`)
  }
  const pick = (chosen) => new Map(chosen.map((path) => [path, tree.get(path)]))
  return {
    created: pick(paths.filter(isNew)),
    edited: pick(Object.keys(edited).filter((path) => !before.get(path)?.equals(tree.get(path)))),
    unchanged: paths.filter((path) => !isNew(path)),
    before,
  }
}

function buffersOf(texts) {
  return new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))
}
