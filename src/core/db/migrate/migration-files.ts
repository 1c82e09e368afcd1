import 'server-only'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Migration = {
  owner: string
  name: string
  hash: string
  statements: string
  /** Whether processes of the previous version work while it is applied, and afterwards. */
  rolling: 'safe' | 'unsafe'
  /** One for the file; none for its only statement; one for each batch of its only statement. */
  transaction: 'one' | 'none' | 'batch'
}

export type Installed = readonly { id: string }[]

/** Those of core, then those of each module, in the order in which they are applied. */
export function readMigrations(modules: Installed, root: string): Migration[] {
  return [
    ...migrationsIn('core', join(root, 'src/core/db/migrations')),
    ...modules.flatMap(({ id }) => migrationsIn(id, join(root, `src/app/(${id})/migrations`))),
  ]
}

export function nameOf({ owner, name }: Migration): string {
  return `${owner}/${name}`
}

function migrationsIn(owner: string, folder: string): Migration[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file))
  return files.sort().map((file) => ({
    owner,
    name: file.replace(/\.sql$/, ''),
    ...parseMigration(readFileSync(join(folder, file), 'utf8')),
  }))
}

const directive = /^-- (?:rolling: (safe|unsafe)|transaction: (none|batch))[ \t]*\n/

/** The hash does not cover the directives, so that an applied migration can get them. */
export function parseMigration(text: string): Omit<Migration, 'owner' | 'name'> {
  let statements = text.replaceAll('\r\n', '\n')
  let rolling: Migration['rolling'] = 'unsafe'
  let transaction: Migration['transaction'] = 'one'
  for (let line = directive.exec(statements); line; line = directive.exec(statements)) {
    if (line[1]) rolling = line[1] as Migration['rolling']
    if (line[2]) transaction = line[2] as Migration['transaction']
    statements = statements.slice(line[0].length)
  }
  const hash = createHash('sha256').update(statements).digest('hex')
  return { rolling, transaction, hash, statements }
}
