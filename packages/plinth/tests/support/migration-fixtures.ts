import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type MigrationFixtures = {
  /** A root with the migrations of core. */
  root: string
  modules: { id: string }[]
  /** Adds files to the module `fixtures`, or replaces them. */
  add(files: Record<string, string>): void
  remove(): void
}

export function migrationFixtures(): MigrationFixtures {
  const root = mkdtempSync(join(tmpdir(), 'plinth-migrations-'))
  const core = 'packages/plinth/src/db/migrations'
  cpSync(core, join(root, core), { recursive: true })
  const folder = join(root, 'src/app/(fixtures)/migrations')
  mkdirSync(folder, { recursive: true })
  return {
    root,
    modules: [{ id: 'fixtures' }],
    add(files) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
