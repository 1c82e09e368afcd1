import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serialize } from '../package/manifest.mjs'

/** Ignored by git: the modules generated in this clone of the template. */
export const templateRecordFile = '.plinth/added.json'

export function isTemplate(folder) {
  return ['cli/bin/plinth.mjs', 'packages/plinth/src/modules/module.ts'].every((path) =>
    existsSync(join(folder, path)),
  )
}

export async function readTemplateRecord(folder) {
  const text = await readFile(join(folder, templateRecordFile), 'utf8').catch(() => '{}')
  return { modules: [], added: JSON.parse(text) }
}

export function templateRecordText({ added }) {
  return Object.keys(added).length > 0 ? serialize(added) : undefined
}
