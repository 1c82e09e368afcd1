import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readCoreTests } from '../app/core-tests.mjs'
import { openApp } from '../app/record.mjs'
import { CommandError } from '../command-error.mjs'
import { coreTestsFolder } from '../template/excluded.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { writeTree } from '../tree.mjs'

/** Writes them without their folder: `npm test` runs them from a folder that git ignores. */
export async function run({ flags }) {
  if (!flags.into) throw new CommandError('core-tests requires --into.')
  const app = await openApp()
  return withTemporaryFolder(async (temporary) => {
    const files = await readCoreTests(app, temporary, flags.base)
    const inFolder = [...files].map(([path, content]) => [
      path.slice(coreTestsFolder.length + 1),
      content,
    ])
    const into = resolve(flags.into)
    await rm(into, { recursive: true, force: true })
    await writeTree(into, new Map(inFolder))
    return { files: files.size }
  })
}
