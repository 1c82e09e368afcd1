import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

/**
 * A tree is a Map from path (with `/`) to content. What a file may do follows from what it is: one
 * that begins with `#!` can be run.
 */
export async function readTree(folder, isWanted = () => true) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) =>
      path
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter(isWanted)
    .sort()
  const tree = new Map()
  for (const path of paths) tree.set(path, await readFile(join(folder, path)))
  return tree
}

export async function writeTree(folder, tree) {
  for (const [path, content] of tree) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
    if (canRun(content)) await chmod(join(folder, path), 0o755)
  }
}

export function canRun(content) {
  return content.subarray(0, 2).toString() === '#!'
}

export function textOf(tree, path) {
  return tree.get(path)?.toString('utf8')
}

export function jsonOf(tree, path) {
  const text = textOf(tree, path)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The part of a tree below a folder, with the paths it has in the whole. */
export function below(tree, folder) {
  return new Map([...tree].filter(([path]) => path.startsWith(`${folder}/`)))
}
