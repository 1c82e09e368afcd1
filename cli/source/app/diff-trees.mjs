import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { run } from '../programs.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { writeTree } from '../tree.mjs'

/** The differences between two trees as a patch for `git apply`; empty if there are none. */
export async function diffTrees(before, after, { color = false } = {}) {
  return withTemporaryFolder(async (folder) => {
    // The folders are named a and b to get git's usual path prefixes.
    await writeTree(join(folder, 'a'), new Map([['.keep', Buffer.from('')], ...before]))
    await writeTree(join(folder, 'b'), new Map([['.keep', Buffer.from('')], ...after]))
    const flags = ['--no-index', '--no-prefix', '--binary', `--color=${color ? 'always' : 'never'}`]
    const { code, out, err } = await run('git', ['diff', ...flags, 'a', 'b'], {
      cwd: folder,
      env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CEILING_DIRECTORIES: join(folder, '..') },
    }).catch(() => {
      throw new CommandError('git not found. This command requires it.')
    })
    if (code > 1) throw new CommandError('git diff failed.', [err])
    return out
  })
}
