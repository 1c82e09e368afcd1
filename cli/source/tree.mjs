import { readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

/** A tree is a Map from path (with `/`) to content. Files that start with `#!` are executable. */
export async function readTree(folder, isIncluded = () => true) {
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
    .filter(isIncluded)
    .sort()
  const tree = new Map()
  // To await a thousand files took 40 % of the CPU time of a command.
  for (const path of paths) tree.set(path, readFileSync(join(folder, path)))
  return tree
}

export async function writeTree(folder, tree) {
  for (const [path, content] of tree) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
    if (isExecutable(content)) await chmod(join(folder, path), 0o755)
  }
}

export function isExecutable(content) {
  return content.subarray(0, 2).toString() === '#!'
}

export function textOf(tree, path) {
  return tree.get(path)?.toString('utf8')
}

export function jsonOf(tree, path) {
  const text = textOf(tree, path)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The files of a tree inside a folder, with their full paths. */
export function subtree(tree, folder) {
  return new Map([...tree].filter(([path]) => path.startsWith(`${folder}/`)))
}
