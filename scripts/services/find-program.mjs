import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Searches these folders first, then the PATH. */
export function findProgram(name, folders = []) {
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const file = process.platform === 'win32' ? `${name}.exe` : name
  return [...folders, ...path].map((folder) => join(folder, file)).find(isExecutable)
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folders `<parent>/<version>/…`, newest version first. */
export function newestFirst(parent, pattern, ...inside) {
  let names = []
  try {
    names = readdirSync(parent).filter((name) => pattern.test(name))
  } catch {
    return []
  }
  return names
    .sort((left, right) => right.localeCompare(left, 'en', { numeric: true }))
    .map((name) => join(parent, name, ...inside))
}
