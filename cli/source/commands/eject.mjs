import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { applyEngineChange } from '../app/apply-engine-change.mjs'
import { readOwnFiles } from '../app/merge-into-app.mjs'
import { openApp } from '../app/record.mjs'
import { CommandError } from '../command-error.mjs'
import { engineVersion, hasOtherEngine } from '../engine/installed-engine.mjs'
import { engineFolder } from '../template/excluded.mjs'
import { subtree } from '../tree.mjs'

export async function run({ flags, output }) {
  const app = await openApp()
  const { record, folder } = app
  if (record.ejected) throw new CommandError(`The engine is already in ${engineFolder}.`)
  if (existsSync(join(folder, engineFolder, 'src'))) {
    throw new CommandError(`Folder ${engineFolder} already exists. Move or delete it first.`)
  }
  const { theirs, ...result } = await applyEngineChange(app, {
    flags,
    output,
    ejected: true,
    refuse,
  })
  output.print(
    `\nEjected the engine: ${subtree(theirs, engineFolder).size} files in ${engineFolder}`,
  )
  output.print('\nNext: npm test runs its tests with all others, and upgrades merge its sources.')
  output.print('To go back while it is unchanged: npx plinth uneject')
  return result

  async function refuse(base) {
    const ours = await readOwnFiles(app, base)
    if (!hasOtherEngine(ours, base)) return
    throw new CommandError(
      `The engine is ${engineVersion(ours)}, but the files of this app are those of Plinth ${record.version}. Run npx plinth upgrade first.`,
    )
  }
}
