import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { rename, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { initializeGit } from '../app/initialize-git.mjs'
import { recordFile, recordText } from '../app/record.mjs'
import { beginChanges, endChanges, onInterrupt, refuseIfInterrupted } from '../interrupt.mjs'
import { localChange } from '../origin/local-origin.mjs'
import { recordedOrigin } from '../origin/origin.mjs'
import { ownVersion } from '../origin/own-version.mjs'
import { renderVersion } from '../origin/render-version.mjs'
import { withTemporaryFolder } from '../temporary-folder.mjs'
import { writeTree } from '../tree.mjs'

/** Writes to a temporary folder and renames it, so that an incomplete app never exists. */
export async function writeApp(folder, choices, origin, { useGit }) {
  const parent = dirname(folder)
  // No signal comes between the two.
  const created = mkdirSync(parent, { recursive: true })
  const removeParents = onInterrupt(() => removeEmptyFolders(parent, created))
  try {
    return await withTemporaryFolder(
      (temporary) => writeInto(temporary, folder, choices, origin, useGit),
      parent,
      '.plinth-',
    )
  } finally {
    removeParents()
  }
}

async function writeInto(temporary, folder, choices, origin, useGit) {
  const { tree, version } = await renderVersion(
    origin,
    choices,
    join(temporary, 'version'),
    ownVersion,
  )
  const draft = join(temporary, 'app')
  const record = recordText({ version, from: recordedOrigin(origin), ...choices })
  const [localPath, local] = localChange(origin, version)
  const extra = [[recordFile, Buffer.from(record)], ...(local ? [[localPath, local]] : [])]
  await writeTree(draft, new Map([...tree, ...extra]))
  const git = useGit ? await initializeGit(draft) : 'none'
  beginChanges()
  refuseIfInterrupted()
  if (existsSync(folder)) await rmdir(folder)
  await rename(draft, folder)
  endChanges()
  return { version, files: tree.size + 1, git }
}

/** From a folder up to the first one that was created. Stops at a folder that is in use. */
function removeEmptyFolders(folder, first) {
  if (first === undefined) return
  try {
    for (let path = folder; path.length >= first.length; path = dirname(path)) rmdirSync(path)
  } catch {}
}
