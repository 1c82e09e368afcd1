import { readFile, writeFile } from 'node:fs/promises'
import { inRoot } from '../paths.mjs'
import { say } from '../terminal.mjs'
import { moduleList } from './module-list.mjs'
import { providerList } from './provider-list.mjs'

/** The files that are written from what is there: each a list of it, and nothing else. */
const lists = [moduleList, providerList]

export async function updateModules() {
  for (const { path, of, source } of await drifted()) {
    await writeFile(inRoot(path), source)
    say(`${path} is written anew: ${of} have changed.`)
  }
}

/** Those that are not what they would be if they were written now. */
export async function drifted() {
  const wanted = await Promise.all(lists.map(async (list) => ({ ...list, ...(await read(list)) })))
  return wanted.filter(({ source, present }) => source !== undefined && source !== present)
}

async function read({ path, write }) {
  const present = await readFile(inRoot(path), 'utf8').catch(() => '')
  return { present, source: await write() }
}
