import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type MigrationFixtures = {
  /** The folder of an app with one module. */
  root: string
  modules: { id: string }[]
  /** Adds migrations to the module, or replaces them. */
  add(files: Record<string, string>): void
  remove(): void
}

/** @param module One that is installed, for programs of the build. */
export function migrationFixtures(module = 'fixtures'): MigrationFixtures {
  const root = mkdtempSync(join(tmpdir(), 'plinth-migrations-'))
  const folder = join(root, `src/app/(${module})/migrations`)
  mkdirSync(folder, { recursive: true })
  // Commands take the current folder for the app if it has this one.
  mkdirSync(join(root, 'node_modules', 'plinth'), { recursive: true })
  return {
    root,
    modules: [{ id: module }],
    add(files) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
