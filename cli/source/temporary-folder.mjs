import { rmSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onInterrupt } from './interrupt.mjs'

/** Removes the folder when the work is done or a signal stops the process. */
export async function withTemporaryFolder(work, parent = tmpdir(), prefix = 'plinth-') {
  const folder = await realpath(await mkdtemp(join(parent, prefix)))
  const remove = onInterrupt(() => rmSync(folder, { recursive: true, force: true }))
  try {
    return await work(folder)
  } finally {
    remove()
  }
}
