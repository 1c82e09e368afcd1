import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../programs.mjs'
import { Stop } from '../stop.mjs'
import { withTemporaryFolder } from '../temporary.mjs'

/** By git itself, so that what clashes is marked the way everybody's editor knows. */
export async function mergeText({ ours, base, theirs }, labels) {
  return withTemporaryFolder(async (folder) => {
    const files = { ours, base: base ?? Buffer.from(''), theirs }
    for (const [name, content] of Object.entries(files))
      await writeFile(join(folder, name), content)
    const named = labels.flatMap((label) => ['-L', label])
    const args = ['merge-file', '-p', ...named, 'ours', 'base', 'theirs']
    const { code, out, err } = await run('git', args, { cwd: folder }).catch(() => {
      throw new Stop('git was not found. It is needed for this.')
    })
    // The code is the number of clashes; a negative one, 255 as seen from here, is an error.
    if (code > 127) throw new Stop('git could not merge.', [err.trim()])
    return { content: out, clashes: code }
  })
}

export function isBinary(content) {
  return content.subarray(0, 8000).includes(0)
}
