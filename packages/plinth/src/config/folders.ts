import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartupError } from '#config/env'

/**
 * Creates a folder and those above it, for its owner only. The recursive mode of Node never returns where
 * none can be created, and stops the whole process: below a link without a target, and in /proc.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') requireFolder(path, error)
    else if (code === 'ENOENT') makeInParent(path)
    else throw error
  }
}

function makeInParent(path: string): void {
  const parent = dirname(path)
  if (parent === path || kindOf(parent) === 'folder') {
    throw new StartupError(`No folder can be created in ${parent}. Set DATA_DIR to another one.`)
  }
  makeFolder(parent)
  makeFolder(path)
}

function requireFolder(path: string, error: unknown): void {
  const kind = kindOf(path)
  if (kind === 'folder') return
  if (kind === 'other') throw error
  throw new StartupError(
    `${path} is a link to something that does not exist. Create it, or set DATA_DIR to another folder.`,
  )
}

function kindOf(path: string): 'folder' | 'other' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'missing'
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
