import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { applyEngineChange } from '../app/apply-engine-change.mjs'
import { openApp } from '../app/record.mjs'
import { CommandError } from '../command-error.mjs'
import { engineFolder } from '../template/excluded.mjs'
import { readTree, subtree } from '../tree.mjs'

export async function run({ flags, output }) {
  const app = await openApp()
  if (!app.record.ejected) throw new CommandError('The engine is not ejected.')
  const { theirs, ...result } = await applyEngineChange(app, {
    flags,
    output,
    ejected: false,
    refuse: refuseEdits,
  })
  await rm(join(app.folder, compiled), { recursive: true, force: true })
  output.print(`\nRemoved ${engineFolder}. The engine is ${result.engine}.`)
  output.print('\nNext: run npm start to install and build again.')
  return result

  async function refuseEdits(base) {
    const edited = await findEdits(app.folder, subtree(base, engineFolder))
    if (edited.length === 0) return
    throw new CommandError(
      'Nothing was changed, because these files of the engine were edited. Undo the edits, or keep the engine.',
      [...edited.map((path) => `  ${path}`), ''],
      { edited },
    )
  }
}

const compiled = `${engineFolder}/dist`

async function findEdits(app, originals) {
  const found = await readTree(join(app, engineFolder), (path) => !path.startsWith('dist/'))
  const ours = new Map([...found].map(([path, content]) => [`${engineFolder}/${path}`, content]))
  const paths = [...new Set([...ours.keys(), ...originals.keys()])].sort()
  return paths.filter((path) => !originals.get(path)?.equals(ours.get(path) ?? Buffer.alloc(0)))
}
