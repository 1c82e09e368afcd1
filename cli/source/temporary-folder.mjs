import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onInterrupt } from './interrupt.mjs'

/** Removes the folder when the work is done or a signal stops the process. */
export async function withTemporaryFolder(work, parent = tmpdir(), prefix = 'plinth-') {
  // No signal comes between the two.
  const folder = realpathSync(mkdtempSync(join(parent, prefix)))
  const remove = onInterrupt(() => rmSync(folder, { recursive: true, force: true }))
  try {
    return await work(folder)
  } finally {
    remove()
  }
}
