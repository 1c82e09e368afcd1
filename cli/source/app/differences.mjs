import { join } from 'node:path'
import { run } from '../programs.mjs'
import { Stop } from '../stop.mjs'
import { withTemporaryFolder } from '../temporary.mjs'
import { writeTree } from '../tree.mjs'

/** The differences between two trees as `git apply` takes them; empty when there are none. */
export async function differences(before, after, { colour = false } = {}) {
  return withTemporaryFolder(async (folder) => {
    // Named a and b, the two folders give the paths their usual beginnings.
    await writeTree(join(folder, 'a'), new Map([['.keep', Buffer.from('')], ...before]))
    await writeTree(join(folder, 'b'), new Map([['.keep', Buffer.from('')], ...after]))
    const flags = [
      '--no-index',
      '--no-prefix',
      '--binary',
      `--color=${colour ? 'always' : 'never'}`,
    ]
    const { code, out, err } = await run('git', ['diff', ...flags, 'a', 'b'], {
      cwd: folder,
      env: { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CEILING_DIRECTORIES: join(folder, '..') },
    }).catch(() => {
      throw new Stop('git was not found. It is needed for this.')
    })
    if (code > 1) throw new Stop('git could not compare the two.', [err])
    return out
  })
}
