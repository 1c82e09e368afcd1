import { readFile, writeFile } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'
import { print } from '../terminal.mjs'
import { moduleList } from './module-list.mjs'
import { providerList } from './provider-list.mjs'

const generatedFiles = [moduleList, providerList]

export async function updateModules() {
  for (const { path, listedFrom, expected } of await findOutdatedFiles()) {
    await writeFile(inRoot(path), expected)
    print(`Updated ${path}: ${listedFrom} changed.`)
  }
}

export async function findOutdatedFiles() {
  const files = await Promise.all(generatedFiles.map(compare))
  return files.filter(({ actual, expected }) => expected !== undefined && expected !== actual)
}

async function compare({ path, listedFrom, generate }) {
  const actual = await readFile(inRoot(path), 'utf8').catch(() => '')
  return { path, listedFrom, actual, expected: await generate() }
}
