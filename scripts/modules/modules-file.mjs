import { readFile, writeFile } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'
import { say } from '../terminal.mjs'
import { findModules } from './find-modules.mjs'
import { modulesSource } from './modules-source.mjs'

const file = inRoot('src', 'modules.ts')

/** Brings src/modules.ts in line with the module folders present. */
export async function updateModules() {
  const source = modulesSource(await findModules())
  if ((await readFile(file, 'utf8').catch(() => '')) === source) return
  await writeFile(file, source)
  say('src/modules.ts is written anew: the module folders have changed.')
}

export async function modulesHaveDrifted() {
  const source = modulesSource(await findModules())
  return (await readFile(file, 'utf8').catch(() => '')) !== source
}
