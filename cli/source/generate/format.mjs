import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { run } from '../programs.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { readTree, writeTree } from '../tree.mjs'

const configuration = 'biome.json'

/**
 * Formats files as the app's own Biome does, and sorts their imports.
 *
 * @param {Map<string, Buffer>} files
 */
export async function format(app, files) {
  if (!existsSync(join(app, configuration))) return files
  const biome = join(app, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
  if (!existsSync(biome)) throw new CommandError('Biome is not installed. Run npm install first.')
  return withTemporaryFolder(async (folder) => {
    await copyFile(join(app, configuration), join(folder, configuration))
    await writeTree(folder, files)
    // Not in a repository, so without the files that git ignores.
    const args = [biome, 'check', '--write', '--vcs-enabled=false', '.']
    const { out, err } = await run(process.execPath, args, { cwd: folder })
    if (!/Checked \d+ files?/.test(out + err)) {
      throw new CommandError('Biome cannot format the files.', err.trim().split('\n'))
    }
    return readTree(folder, (path) => files.has(path))
  })
}
