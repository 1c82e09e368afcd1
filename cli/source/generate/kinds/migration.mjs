import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../../command-error.mjs'
import { readText, requireModule } from '../installed-parts.mjs'
import { partNames } from '../part-names.mjs'
import { migrationSource } from '../parts/migration.mjs'

export async function plan(app, [id, name]) {
  const folder = await requireModule(app, id)
  if (name === undefined) throw new CommandError('No name given. For example: add-tags')
  const { snake, text } = partNames(name, 'add-tags')
  const existing = await readdir(join(app.folder, folder, 'migrations')).catch(() => [])
  const same = existing.find((file) => file.slice(4) === `_${snake}.sql`)
  if (same) throw new CommandError(`${folder}/migrations/${same} has this name already.`)
  const schema = await readText(app, `${folder}/schema.ts`)
  const table = /\bpgTable\(\s*'(\w+)'/.exec(schema)?.[1] ?? id.replaceAll('-', '_')
  const path = `${folder}/migrations/${nextNumber(existing)}_${snake}.sql`
  return {
    files: { [path]: migrationSource(table, text) },
    module: { id },
    next: `Next: write the SQL before the next start, which applies it once, and add new columns to ${folder}/schema.ts`,
  }
}

function nextNumber(files) {
  const numbers = files.map((file) => Number(/^(\d{4})_/.exec(file)?.[1] ?? 0))
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0')
}
