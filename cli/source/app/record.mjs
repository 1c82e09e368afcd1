import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { serialize } from '../package/manifest.mjs'
import {
  isTemplate,
  readTemplateRecord,
  templateRecordFile,
  templateRecordText,
} from './template-record.mjs'

export const recordFile = 'plinth.json'

/** The app of the current folder: the nearest folder upwards with a plinth.json. */
export async function openApp(start) {
  const app = await openAppOrTemplate(start)
  if (!app.isTemplate) return app
  throw new CommandError(
    'This is the template, not an app. Create one: npm run create -- ../my-app',
  )
}

export async function openAppOrTemplate(start = process.cwd()) {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, recordFile))) {
      return { folder, record: await readRecord(folder), isTemplate: false }
    }
    if (isTemplate(folder)) {
      return { folder, record: await readTemplateRecord(folder), isTemplate: true }
    }
    if (folder === dirname(folder)) {
      throw new CommandError(`No ${recordFile} found. Run this command in a Plinth app.`)
    }
  }
}

/** The path and the text of the record. Without a text there is nothing to record. */
export function recordEntry({ record, isTemplate }) {
  if (isTemplate) return [templateRecordFile, templateRecordText(record)]
  return [recordFile, recordText(record)]
}

async function readRecord(folder) {
  const text = await readFile(join(folder, recordFile), 'utf8')
  try {
    const { version, name, modules, providers, ejected, from, added = {} } = JSON.parse(text)
    if ([modules, providers].every(Array.isArray) && name && from) {
      const choices = { name, modules, providers, ...(ejected && { ejected }) }
      return { version, ...choices, from, added }
    }
  } catch {}
  throw new CommandError(`${recordFile} is invalid. Restore it from git.`)
}

/** The content of plinth.json: where the app came from, and its modules and providers. */
export function recordText({ version, name, modules, providers, ejected, from, added = {} }) {
  const record = { version, from, name, modules, providers, ...(ejected && { ejected }) }
  const text = serialize(Object.keys(added).length > 0 ? { ...record, added } : record)
  // Short lists on one line, as Biome formats them.
  return text.replaceAll(/\[\s+([^\][]*?)\s+\]/g, (list, items) => {
    const line = `[${items.replaceAll(/\s*\n\s*/g, ' ')}]`
    return line.length <= 80 ? line : list
  })
}
