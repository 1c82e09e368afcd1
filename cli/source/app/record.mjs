import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { serialise } from '../package/manifest.mjs'
import { Stop } from '../stop.mjs'

export const recordFile = 'plinth.json'

/** The app that a command is run in: the folder, or one above it, that has a record. */
export async function openApp(start = process.cwd()) {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, recordFile))) return { folder, record: await readRecord(folder) }
    if (folder === dirname(folder)) {
      throw new Stop(`There is no ${recordFile} here: this is not an app made from Plinth.`)
    }
  }
}

async function readRecord(folder) {
  const text = await readFile(join(folder, recordFile), 'utf8')
  try {
    const { version, name, modules, providers, from, added = {} } = JSON.parse(text)
    if ([modules, providers].every(Array.isArray) && name && from) {
      return { version, name, modules, providers, from: fromRecord(from, folder), added }
    }
  } catch {}
  throw new Stop(`${recordFile} is not as Plinth wrote it: put it back from git.`)
}

/** What an app remembers of its making: small, and committed with it. */
export function recordText({ version, name, modules, providers, from, added = {} }, folder) {
  const record = { version, from: inRecord(from, folder), name, modules, providers }
  const text = serialise(Object.keys(added).length > 0 ? { ...record, added } : record)
  // Short lists in one line, as Biome has them.
  return text.replaceAll(/\[\s+([^\][]*?)\s+\]/g, (list, items) => {
    const line = `[${items.replaceAll(/\s*\n\s*/g, ' ')}]`
    return line.length <= 80 ? line : list
  })
}

function inRecord(from, folder) {
  const place = (path) => relative(folder, path).split(sep).join('/') || '.'
  if (from.repository) return { ...from, repository: place(from.repository) }
  if (from.tarball) return { ...from, tarball: place(from.tarball) }
  return from
}

function fromRecord(from, folder) {
  if (from.repository) return { ...from, repository: resolve(folder, from.repository) }
  if (from.tarball) return { ...from, tarball: resolve(folder, from.tarball) }
  return from
}
