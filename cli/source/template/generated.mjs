import { pathToFileURL } from 'node:url'
import { templateRoot } from './location.mjs'

// The template's own scripts write these files; they are asked, so that there is one who knows how.

export async function modulesFile(ids, root = templateRoot) {
  const { modulesSource } = await load(root, 'modules-source.mjs')
  return modulesSource(ids)
}

export async function providersFile(ids, root = templateRoot) {
  const { providersSource } = await load(root, 'providers-source.mjs')
  return ['src/core/auth/providers/installed.ts', providersSource(ids)]
}

function load(root, name) {
  return import(pathToFileURL(`${root}/scripts/modules/${name}`))
}
