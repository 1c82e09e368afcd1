import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { run } from '../programs.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'

/** Uses git, so that conflict markers have the format that editors know. */
export async function mergeText({ ours, base, theirs }, labels) {
  return withTemporaryFolder(async (folder) => {
    const files = { ours, base: base ?? Buffer.from(''), theirs }
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), content)
    const labelArgs = labels.flatMap((label) => ['-L', label])
    const args = ['merge-file', '-p', ...labelArgs, 'ours', 'base', 'theirs']
    const { code, out, err } = await run('git', args, { cwd: folder }).catch(() => {
      throw new CommandError('git not found. This command requires it.')
    })
    // The exit code is the number of conflicts; above 127 it is an error.
    if (code > 127) throw new CommandError('git merge-file failed.', [err.trim()])
    return { content: out, conflicts: code }
  })
}

export function isBinary(content) {
  return content.subarray(0, 8000).includes(0)
}
